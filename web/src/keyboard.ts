// SPDX-License-Identifier: Apache-2.0
// Keys of the page. Whatever has the focus comes first: fields keep their letters, buttons their space.
import type { Clock } from './play/clock';
import type { Viewer } from './view/viewer';

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'range' && target.type !== 'checkbox';
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

function takesSpace(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type === 'checkbox';
  return target instanceof HTMLButtonElement || (target instanceof HTMLElement && target.tagName === 'SUMMARY');
}

function takesArrows(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'range';
}

export interface KeyTargets {
  clock: Clock | null;
  viewer(): Viewer | null;
  help(): void;
  isHelpOpen(): boolean;
}

/** True where the key meant something. */
function press(key: string, event: KeyboardEvent, targets: KeyTargets): boolean {
  const { clock } = targets;
  const viewer = targets.viewer();
  if (key === '?') {
    targets.help();
    return true;
  }
  if (targets.isHelpOpen() || !clock || !viewer) return false;
  const { settings, stage, fields, forces } = viewer;
  switch (key) {
    case ' ':
      if (takesSpace(event.target)) return false;
      clock.toggle();
      return true;
    case 'ArrowLeft':
    case 'ArrowRight':
      if (takesArrows(event.target)) return false;
      clock.step(key === 'ArrowLeft' ? -1 : 1);
      return true;
    case 'Home':
    case 'End':
      if (takesArrows(event.target)) return false;
      clock.step(key === 'Home' ? -clock.frames.length : clock.frames.length);
      return true;
    case 'a': {
      if (forces.length === 0) return false;
      const names = [null, ...forces.map(({ name }) => name)];
      settings.force.value = names[(names.indexOf(settings.force.value) + 1) % names.length];
      return true;
    }
    case 'w':
      settings.wireframe.value = !settings.wireframe.value;
      return true;
    case 'g':
      settings.grid.value = !settings.grid.value;
      return true;
    case 'l':
      clock.loop.value = !clock.loop.value;
      return true;
    case 'o':
      if (stage.actors.length < 2) return false;
      settings.layout.value = settings.layout.value === 'overlay' ? 'side' : 'overlay';
      return true;
    case 'f':
      stage.fit();
      return true;
    case 'r':
      stage.resetView();
      return true;
    default: {
      const choice = Number(key) - 1;
      if (!Number.isInteger(choice) || choice < 0 || choice > fields.length) return false;
      settings.field.value = choice === 0 ? null : fields[choice - 1].name;
      return true;
    }
  }
}

export function listenToKeys(targets: KeyTargets): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (press(event.key, event, targets)) event.preventDefault();
  });
}
