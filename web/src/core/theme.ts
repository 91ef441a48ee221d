// SPDX-License-Identifier: Apache-2.0
// Light or dark. Colours live in the style sheet; canvases ask for them here.
import { Value } from './value';

export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'sinew-theme';

// Pages opened from disk may be denied storage; then the choice lasts as long as the page.
function stored(): Theme | null {
  try {
    const value = localStorage.getItem(STORAGE_KEY);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null;
  }
}

function store(value: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, value);
  } catch {
    // Nothing to do.
  }
}

const system = matchMedia('(prefers-color-scheme: dark)');

export const theme = new Value<Theme>(stored() ?? (system.matches ? 'dark' : 'light'));

const cache = new Map<string, string>();

export function startTheme(): void {
  theme.watch((value) => {
    document.documentElement.dataset.theme = value;
    cache.clear();
  });
  system.addEventListener('change', (event) => {
    if (stored() === null) theme.value = event.matches ? 'dark' : 'light';
  });
}

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  store(theme.value);
}

/** Value of a custom property such as "--ink" in the current theme. */
export function themeColour(property: string): string {
  let value = cache.get(property);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
    cache.set(property, value);
  }
  return value;
}
