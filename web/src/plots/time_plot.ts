// SPDX-License-Identifier: Apache-2.0
// A plot over time: uPlot with our colours, a line at the playback time, and a click that seeks.
import uPlot from 'uplot';
import { h } from '../core/dom';
import { theme, themeColour } from '../core/theme';
import { unitFor } from '../core/units';
import type { Clock } from '../play/clock';
import { axisText, powerText } from './axis_text';
import { typicalSize, type Column } from './columns';
import { MARK_DISTANCE, markedPoints } from './line_marks';
import { signedLogTicks } from './log_axis';

export interface Series {
  label: string;
  /** Custom property of the style sheet. */
  colour: string;
  width?: number;
  dash?: number[];
  /** SVG path, drawn here and there along the curve. */
  shape?: string;
  /** Marks instead of a line. */
  marks?: boolean;
  /** Constant until the next value. */
  stepped?: boolean;
  show: boolean;
}

export type YScale = 'linear' | 'log' | 'signed-log';

export interface TimePlotOptions {
  /** Times, then one column per series. */
  data: [Column, ...Column[]];
  series: Series[];
  yScale: YScale;
  /** The axis starts at zero, as counts and lengths want it. */
  fromZero?: boolean;
  /** Values beyond this size leave the picture, they do not squash it. Linear scale only. */
  limit?: number | undefined;
  height: number;
  /** Of the vertical axis, with its unit. */
  yLabel: string;
  /** What it shows, for those who cannot see it. */
  description: string;
  clock: Clock | null;
}

function uplotSeries(series: Series): uPlot.Series {
  const stroke = (): string => themeColour(series.colour);
  const marks = series.marks ?? false;
  const result: uPlot.Series = {
    label: series.label, show: series.show, stroke, width: series.width ?? 1.5,
    // Curves need no snapping to pixels; it only makes gentle slopes ragged.
    pxAlign: 0,
    // Runs with different steps share one list of times: gaps are theirs, not the data's.
    spanGaps: true,
    points: marks ? { show: true, size: 7, width: 1.5, stroke, fill: stroke } : { show: false },
  };
  if (series.dash && series.dash.length > 0) result.dash = series.dash;
  if (marks) result.paths = () => null;
  else if (series.stepped && uPlot.paths.stepped) result.paths = uPlot.paths.stepped({ align: -1 });
  return result;
}

function axes({ yScale, data, yLabel }: TimePlotOptions): uPlot.Axis[] {
  const stroke = (): string => themeColour('--muted');
  const grid = { stroke: () => themeColour('--plot-grid'), width: 1 };
  const ticks = { show: false };
  const font = '11px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif';
  const title = { labelFont: font, labelSize: 16, labelGap: 0 };
  const y: uPlot.Axis = {
    stroke, grid, ticks, font, gap: 6, space: 26, label: yLabel, ...title,
    // Mostly the same, so that plots below each other line up.
    size: (_u, values) => 20 + 6 * Math.max(6, ...(values ?? []).map((text) => text?.length ?? 0)),
    values: (_u, splits, _i, _space, increment) => (yScale === 'linear' ? axisText(splits, increment) : powerText(splits)),
  };
  if (yScale === 'signed-log') {
    // uPlot's own know no ticks where a run spans a hundred decades.
    y.incrs = (_u, _i, low, high) => [high - low];
    y.splits = (_u, _i, low, high) => signedLogTicks(low, high, linearSize(data));
    y.filter = (_u, splits) => splits;
  }
  return [
    { stroke, grid, ticks, font, size: 24, gap: 6, label: `t [${unitFor('s')}]`, ...title, values: (_u, splits, _i, _space, increment) => axisText(splits, increment) },
    y,
  ];
}

/** Below this the signed logarithm is linear. */
function linearSize(data: Column[]): number {
  return typicalSize(data.slice(1)) || 1;
}

const PADDING = 0.06;

function linearRange(lowest: number | null, highest: number | null, fromZero: boolean, limit: number): [number, number] {
  if (lowest === null || highest === null) return [0, 1];
  const low = Math.max(-limit, lowest), high = Math.min(limit, highest);
  const bottom = fromZero ? Math.min(0, low) : low;
  const span = high - bottom || Math.abs(high) || 1;
  return [fromZero && bottom === 0 ? 0 : bottom - PADDING * span, high + PADDING * span];
}

function yOptions({ yScale, data, fromZero, limit }: TimePlotOptions): uPlot.Scale {
  if (yScale === 'log') return { distr: 3 };
  if (yScale === 'signed-log') return { distr: 4, asinh: linearSize(data) };
  return { range: (_u, low, high) => linearRange(low, high, fromZero ?? false, limit ?? Infinity) };
}

/** The shapes of a series, in the pixels of the canvas. */
function drawShapes(u: uPlot, index: number, shape: string, colour: string): void {
  const [times, values] = [u.data[0], u.data[index]] as unknown as Column[];
  const places = times.map((time) => (time === null ? null : u.valToPos(time, 'x', true)));
  const { left, top, width, height } = u.bbox;
  const scale = uPlot.pxRatio;
  const path = new Path2D(shape);
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  u.ctx.fillStyle = themeColour(colour);
  for (const i of markedPoints(places, values, index - 1, MARK_DISTANCE * scale)) {
    u.ctx.save();
    u.ctx.translate(places[i]!, u.valToPos(values[i]!, 'y', true));
    u.ctx.scale(scale, scale);
    u.ctx.fill(path);
    u.ctx.restore();
  }
  u.ctx.restore();
}

export class TimePlot {
  readonly element: HTMLElement;
  readonly plot: uPlot;
  /** Time under the pointer, null elsewhere. */
  onHover: ((time: number | null) => void) | null = null;
  private readonly marker = h('div', { class: 'time-marker', 'aria-hidden': 'true' });
  private readonly stops: (() => void)[] = [];

  constructor(private readonly options: TimePlotOptions) {
    const { data, series, height, clock } = options;
    this.element = h('div', { class: 'plot', role: 'img', 'aria-label': options.description });
    this.plot = new uPlot(
      {
        width: 300, height,
        scales: { x: { time: false }, y: yOptions(options) },
        series: [{}, ...series.map(uplotSeries)],
        axes: axes(options),
        legend: { show: false },
        cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false } },
        // Room for half of the last label.
        padding: [10, 20, 0, 0],
        hooks: {
          drawSeries: [(u, index) => {
            const drawn = series[index - 1];
            if (drawn?.shape && !drawn.marks && u.series[index].show) drawShapes(u, index, drawn.shape, drawn.colour);
          }],
          setScale: [() => this.placeMarker()],
          setSize: [() => this.placeMarker()],
          setCursor: [(u) => {
            const { left } = u.cursor;
            this.onHover?.(left === undefined || left === null || left < 0 ? null : u.posToVal(left, 'x'));
          }],
        },
      },
      data as uPlot.AlignedData,
      this.element,
    );
    this.plot.over.append(this.marker);
    this.stops.push(theme.watch(() => this.plot.redraw(false)));
    if (clock) {
      this.stops.push(clock.time.watch(() => this.placeMarker()));
      this.seekOnClick(clock);
    } else {
      this.marker.hidden = true;
    }
    const sizes = new ResizeObserver(() => {
      const width = this.element.clientWidth;
      if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
    });
    sizes.observe(this.element);
    this.stops.push(() => sizes.disconnect());
  }

  /** Where the line at the playback time is, in seconds; null where it is not shown. */
  get markedTime(): number | null {
    return this.marker.hidden ? null : Number(this.marker.dataset.time);
  }

  setShown(series: number, show: boolean): void {
    this.plot.setSeries(series + 1, { show });
  }

  /** `stop` is called when the plot goes. */
  own(stop: () => void): void {
    this.stops.push(stop);
  }

  destroy(): void {
    for (const stop of this.stops) stop();
    this.plot.destroy();
  }

  private placeMarker(): void {
    const { clock } = this.options;
    // uPlot calls hooks while it is being built.
    if (!clock || !this.plot) return;
    const { min, max } = this.plot.scales.x;
    const time = clock.time.value;
    this.marker.hidden = min == null || max == null || time < min || time > max;
    this.marker.dataset.time = String(time);
    if (!this.marker.hidden) this.marker.style.transform = `translateX(${this.plot.valToPos(time, 'x')}px)`;
  }

  // A drag zooms, so only a press that stays in place seeks.
  private seekOnClick(clock: Clock): void {
    let pressed = 0;
    this.plot.over.addEventListener('mousedown', (event) => (pressed = event.clientX));
    this.plot.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - pressed) > 3) return;
      clock.playing.value = false;
      clock.seek(this.plot.posToVal(event.clientX - this.plot.over.getBoundingClientRect().left, 'x'));
    });
  }
}
