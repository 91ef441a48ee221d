// SPDX-License-Identifier: Apache-2.0
// One quantity against another, one line per series, with a legend. Drawn as SVG: few points, and
// shapes besides colours tell many series apart.
import { h, svg } from '../core/dom';
import type { LineStyle } from '../core/run_colours';
import type { Axis } from './axes';
import { lineSample } from './line_sample';

export interface DiagramLine extends LineStyle {
  name: string;
  /** `title`: what the pointer tells about it. */
  points: { x: number; y: number; title: string }[];
  /** Name of an earlier line that this one lies on. */
  sameAs?: string;
}

export interface Diagram {
  x: Axis;
  y: Axis;
  /** Of the axes, with units. */
  titles: { x: string; y: string };
  lines: DiagramLine[];
  /** Points without lines, where there is nothing between them. */
  pointsOnly?: boolean;
  /** The picture in words. */
  label: string;
}

const HEIGHT = 300;
const LEFT = 62, RIGHT = 14, TOP = 12, BOTTOM = 42;
/** About the width of a letter at the axes [px]. */
const LETTER = 6.2;
const LONGEST_LABEL = 22;

function shortened(label: string): string {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}

function longest(labels: string[]): number {
  return LETTER * Math.max(0, ...labels.map((label) => label.length));
}

function draw({ x, y, titles, lines, pointsOnly = false, label }: Diagram, width: number): SVGElement {
  const left = Math.max(LEFT, 28 + longest(y.labels));
  const inner = width - left - RIGHT;
  const names = x.labels.map(shortened);
  // Words that would run into each other are slanted.
  const isSlanted = longest(names) + LETTER > inner / Math.max(1, names.length);
  const bottom = isSlanted ? BOTTOM + 0.64 * longest(names) : BOTTOM;
  const height = HEIGHT + bottom - BOTTOM;
  const base = height - bottom;
  const placeX = (value: number): number => left + x.share(value) * inner;
  const placeY = (value: number): number => base - y.share(value) * (base - TOP);
  const picture = svg('svg', { class: 'diagram', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  x.ticks.forEach((tick, i) => {
    const at = placeX(tick);
    const place = isSlanted ? { transform: `translate(${at + 4} ${base + 14}) rotate(-40)`, 'text-anchor': 'end' } : { x: at, y: base + 16, 'text-anchor': 'middle' };
    picture.append(
      svg('line', { class: 'grid', x1: at, x2: at, y1: TOP, y2: base }),
      svg('text', place, names[i], svg('title', {}, x.labels[i])),
    );
  });
  y.ticks.forEach((tick, i) => {
    const at = placeY(tick);
    picture.append(
      svg('line', { class: 'grid', x1: left, x2: width - RIGHT, y1: at, y2: at }),
      svg('text', { x: left - 8, y: at + 4, 'text-anchor': 'end' }, y.labels[i]),
    );
  });
  picture.append(
    svg('text', { class: 'axis-title', x: left + inner / 2, y: height - 6, 'text-anchor': 'middle' }, titles.x),
    svg('text', { class: 'axis-title', transform: `translate(12 ${(TOP + base) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, titles.y),
  );
  for (const line of lines) {
    const group = svg('g', { class: 'diagram-line', style: `--swatch: var(${line.colour})` });
    const path = line.points.map((point) => `${placeX(point.x)},${placeY(point.y)}`).join(' ');
    if (!pointsOnly) group.append(svg('polyline', { points: path, 'stroke-dasharray': line.dash.length > 0 ? line.dash.join(' ') : 'none' }));
    for (const point of line.points) {
      group.append(svg('path', { class: 'marker', d: line.shape, transform: `translate(${placeX(point.x)} ${placeY(point.y)})` }, svg('title', {}, point.title)));
    }
    picture.append(group);
  }
  return picture;
}

export function createDiagram(diagram: Diagram): HTMLElement {
  const frame = h('div', { class: 'diagram-frame' });
  const key = h('div', { class: 'key' });
  for (const line of diagram.lines) {
    const missing = line.points.length === 0 ? ' (nothing to draw)' : '';
    const same = line.sameAs === undefined ? null : h('span', { class: 'muted' }, ` ≡ ${line.sameAs}`);
    key.append(h('span', {}, lineSample(line, diagram.pointsOnly), h('span', {}, `${line.name}${missing}`, same)));
  }
  let shown = 0;
  new ResizeObserver(() => {
    const width = Math.round(frame.clientWidth);
    if (width < 1 || width === shown) return;
    shown = width;
    frame.replaceChildren(draw(diagram, width));
  }).observe(frame);
  return h('div', {}, frame, key);
}
