// SPDX-License-Identifier: Apache-2.0
// What the C++ program does: data into the template.
import { readFileSync } from 'node:fs';
import type { PackedReport } from '../src/format/packed';

const MARKER = '<script type="application/json" id="sinew-data">null</script>';

export function pageWithText(text: string): string {
  const template = readFileSync('dist/report.html', 'utf8');
  if (!template.includes(MARKER)) throw new Error('the template has no marker');
  return template.replace(MARKER, () => `<script type="application/json" id="sinew-data">${text}</script>`);
}

export function pageWith(report: PackedReport | object): string {
  return pageWithText(JSON.stringify(report).replace(/</g, '\\u003c'));
}
