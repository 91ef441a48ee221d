// SPDX-License-Identifier: Apache-2.0
// Opens pages from disk in a real browser and watches for what must never happen: errors, requests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

export interface Opened {
  page: Page;
  /** Console errors, uncaught exceptions and requests to anywhere but the file itself. */
  complaints: string[];
}

export interface OpenOptions {
  width?: number;
  height?: number;
  colourScheme?: 'light' | 'dark';
}

let browser: Browser | null = null;
let shared: Page | null = null;
const folder = mkdtempSync(join(tmpdir(), 'sinew-report-'));
const file = join(folder, 'report.html');
const url = pathToFileURL(file).href;

async function launch(): Promise<Browser> {
  return chromium.launch({
    timeout: 600_000,
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // WebGL on the processor: the same everywhere, no graphics card needed.
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
}

async function emptyPage(): Promise<Page> {
  browser ??= await launch();
  if (!shared) {
    shared = await browser.newPage();
    // A busy machine is slow, not wrong: this is for what hangs.
    shared.setDefaultTimeout(600_000);
    // Every page starts as if it were the first: no theme remembered.
    await shared.addInitScript(() => localStorage.clear());
  }
  for (const event of ['console', 'pageerror', 'request'] as const) shared.removeAllListeners(event);
  return shared;
}

/** Replaces the page of the call before: windows of their own would double the time. */
export async function open(html: string, { width = 1100, height = 640, colourScheme = 'light' }: OpenOptions = {}): Promise<Opened> {
  writeFileSync(file, html);
  const page = await emptyPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: colourScheme });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== url && !/^(data|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await page.evaluate(() => window.sinew.ready);
  return { page, complaints };
}

export async function closeBrowser(): Promise<void> {
  await browser?.close();
  rmSync(folder, { recursive: true });
}

/** Number of pixels that are drawn, and that differ from the picture of the last call. */
export async function lookAtCanvas(page: Page): Promise<{ drawn: number; changed: number }> {
  return page.evaluate(() => {
    const store = window as unknown as { before?: Uint32Array };
    const now = new Uint32Array(window.sinew.viewer!.stage.pixels().data.buffer);
    let drawn = 0, changed = 0;
    for (let i = 0; i < now.length; ++i) {
      if (now[i] !== 0) drawn++;
      if (store.before && now[i] !== store.before[i]) changed++;
    }
    store.before = now;
    return { drawn, changed };
  });
}

export const currentFrame = (page: Page): Promise<number> => page.evaluate(() => window.sinew.clock!.frame);
