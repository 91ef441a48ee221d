// SPDX-License-Identifier: Apache-2.0
// Error against seconds, both logarithmic, one line per integrator. Drawn as SVG: few points, and
// shapes besides colours tell many methods apart.
import { h, svg } from '../core/dom';
import { formatNumber, formatPower, formatQuantity, prettyUnit } from '../core/number_format';
import { lineStyle, runStyle, type LineStyle } from '../core/run_colours';
import { unitFor } from '../core/units';
import type { ErrorRow } from '../format/packed';
import { lineSample } from './line_sample';
import { logAxis } from './log_axis';

export interface Line extends LineStyle {
  integrator: string;
  points: { dt: number | null; error: number; seconds: number }[];
}

export const WALL = 'wall time';

/** Reports of 0.1.0 do not say what went into output: then no row can leave it out. */
function knowsOutput(rows: ErrorRow[]): boolean {
  return rows.every(({ seconds, output }) => seconds === null || (output !== null && output !== undefined));
}

/** What the price of a row is: the same for all. */
export function timeTitle(rows: ErrorRow[]): string {
  return knowsOutput(rows) ? 'time without output' : WALL;
}

/** [s] */
export function costOf({ seconds, output }: ErrorRow, rows: ErrorRow[]): number | null {
  return seconds === null || !knowsOutput(rows) ? seconds : Math.max(0, seconds - (output ?? 0));
}

/**
 * From the cheapest to the dearest; rows without an error or a time cannot be drawn, others are not
 * on show. A line looks like the first run of its method (`runOf` a row, -1: none of the `runs`).
 */
export function workPrecisionLines(rows: ErrorRow[], runOf: number[], runs: number, isShown: (row: number) => boolean): Line[] {
  const names = [...new Set(rows.map((row) => row.integrator))];
  let strangers = runs;
  return names.flatMap((integrator): Line[] => {
    const places = rows.flatMap((row, i) => (row.integrator === integrator ? [i] : []));
    const first = Math.min(...places.map((i) => runOf[i]).filter((run) => run >= 0));
    const style = first === Infinity ? lineStyle(strangers++) : runStyle(first, runs);
    const points = places.filter(isShown).flatMap((i) => {
      const { dt, error } = rows[i];
      const seconds = costOf(rows[i], rows);
      return error && seconds && error > 0 && seconds > 0 ? [{ dt, error, seconds }] : [];
    });
    points.sort((a, b) => (b.dt ?? 0) - (a.dt ?? 0) || a.seconds - b.seconds);
    return places.some(isShown) ? [{ integrator, ...style, points }] : [];
  });
}

function marker(shape: string, x: number, y: number, title: string): SVGElement {
  return svg('path', { class: 'marker', d: shape, transform: `translate(${x} ${y})` }, svg('title', {}, title));
}

const HEIGHT = 300;
const LEFT = 62, RIGHT = 14, TOP = 12, BOTTOM = 42;

/** Powers of ten throughout where one tick needs them. */
function label(ticks: number[], tick: number): string {
  const plain = ticks.every((other) => other >= 1e-3 && other < 1e5);
  // Ticks are 1, 2 or 5 times a power of ten.
  return plain ? formatNumber(tick, 1) : formatPower(tick, 1);
}

function draw(lines: Line[], time: string, width: number): SVGSVGElement {
  const points = lines.flatMap((line) => line.points);
  const x = logAxis(points.map((point) => point.seconds));
  const y = logAxis(points.map((point) => point.error));
  const placeX = (value: number): number => LEFT + x.share(value) * (width - LEFT - RIGHT);
  const placeY = (value: number): number => HEIGHT - BOTTOM - y.share(value) * (HEIGHT - TOP - BOTTOM);
  const picture = svg('svg', {
    class: 'work-precision', width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img',
    'aria-label': `Error against ${time}, both logarithmic. The numbers are in the table below.`,
  });
  for (const tick of x.ticks) {
    const at = placeX(tick);
    picture.append(
      svg('line', { class: 'grid', x1: at, x2: at, y1: TOP, y2: HEIGHT - BOTTOM }),
      svg('text', { x: at, y: HEIGHT - BOTTOM + 16, 'text-anchor': 'middle' }, label(x.ticks, tick)),
    );
  }
  for (const tick of y.ticks) {
    const at = placeY(tick);
    picture.append(
      svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: at, y2: at }),
      svg('text', { x: LEFT - 8, y: at + 4, 'text-anchor': 'end' }, label(y.ticks, tick)),
    );
  }
  picture.append(
    svg('text', { class: 'axis-title', x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, `${time} [s]`),
    svg('text', { class: 'axis-title', transform: `translate(12 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, `error [${prettyUnit(unitFor('m'))}]`),
  );
  for (const line of lines) {
    const group = svg('g', { class: 'method', style: `--swatch: var(${line.colour})` });
    const path = line.points.map((point) => `${placeX(point.seconds)},${placeY(point.error)}`).join(' ');
    group.append(svg('polyline', { points: path, 'stroke-dasharray': line.dash.length > 0 ? line.dash.join(' ') : 'none' }));
    for (const point of line.points) {
      const title = `${line.integrator}, dt ${formatQuantity(point.dt, unitFor('s'))}: error ${formatNumber(point.error)} ${unitFor('m')} in ${formatQuantity(point.seconds, 's')}`;
      group.append(marker(line.shape, placeX(point.seconds), placeY(point.error), title));
    }
    picture.append(group);
  }
  return picture;
}

export function createWorkPrecision(lines: Line[], time: string): HTMLElement {
  const frame = h('div', { class: 'work-precision-frame' });
  const key = h('div', { class: 'key' });
  for (const line of lines) {
    const missing = line.points.length === 0 ? ' (nothing to draw)' : '';
    key.append(h('span', {}, lineSample(line), `${line.integrator}${missing}`));
  }
  let shown = 0;
  new ResizeObserver(() => {
    const width = Math.round(frame.clientWidth);
    if (width < 1 || width === shown) return;
    shown = width;
    frame.replaceChildren(draw(lines, time, width));
  }).observe(frame);
  return h('div', {}, frame, key);
}
