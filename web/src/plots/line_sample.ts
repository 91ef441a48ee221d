// SPDX-License-Identifier: Apache-2.0
// A piece of a line as a plot shows it, for legends.
import { svg } from '../core/dom';

export interface LineLook {
  colour: string;
  dash?: number[];
  shape?: string;
}

/** `marksOnly`: the shape without a line. */
export function lineSample({ colour, dash, shape }: LineLook, marksOnly = false): SVGElement {
  const sample = svg('svg', { class: 'line-sample', viewBox: '0 0 30 12', style: `--swatch: var(${colour})`, 'aria-hidden': 'true' });
  if (!marksOnly) sample.append(svg('line', { x1: 0, x2: 30, y1: 6, y2: 6, 'stroke-dasharray': dash && dash.length > 0 ? dash.join(' ') : 'none' }));
  if (shape) sample.append(svg('path', { class: 'marker', d: shape, transform: 'translate(15 6)' }));
  return sample;
}
