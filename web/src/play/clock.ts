// SPDX-License-Identifier: Apache-2.0
// The one playback clock [s of the simulation]. It knows nothing of the browser: somebody calls
// advance() with the seconds that went by.
import { Value } from '../core/value';
import { nearestIndex } from './nearest';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

/** Real time where that can be watched, slower where it would be over at once. */
export function defaultSpeed(duration: number): number {
  const watchable = 2;
  const fitting = SPEEDS.filter((speed) => speed <= 1 && duration / speed >= watchable);
  return fitting.at(-1) ?? SPEEDS[0];
}

export class Clock {
  readonly time: Value<number>;
  readonly playing = new Value(false);
  readonly speed: Value<number>;
  readonly loop = new Value(true);

  /** `frames`: the times that stepping and scrubbing go through, ascending, at least one. */
  constructor(readonly frames: readonly number[]) {
    this.time = new Value(frames[0]);
    this.speed = new Value(defaultSpeed(this.duration));
  }

  get start(): number {
    return this.frames[0];
  }

  get end(): number {
    return this.frames[this.frames.length - 1];
  }

  get duration(): number {
    return this.end - this.start;
  }

  get frame(): number {
    return nearestIndex(this.frames, this.time.value);
  }

  seek(time: number): void {
    this.time.value = Math.min(this.end, Math.max(this.start, time));
  }

  seekFrame(frame: number): void {
    const last = this.frames.length - 1;
    this.time.value = this.frames[Math.min(last, Math.max(0, frame))];
  }

  /** Stepping by hand stops playback, as everywhere else. */
  step(by: number): void {
    this.playing.value = false;
    this.seekFrame(this.frame + by);
  }

  toggle(): void {
    if (!this.playing.value && this.time.value >= this.end) this.seek(this.start);
    this.playing.value = this.duration > 0 && !this.playing.value;
  }

  advance(seconds: number): void {
    if (!this.playing.value) return;
    const next = this.time.value + seconds * this.speed.value;
    if (next < this.end) {
      this.seek(next);
    } else if (!this.loop.value) {
      this.seek(this.end);
      this.playing.value = false;
    } else if (this.time.value < this.end) {
      // The last frame is shown once before the start again.
      this.seek(this.end);
    } else {
      this.seek(this.start);
    }
  }
}

/** The frame times of the run that lasts longest; of several, the one with most frames. */
export function sharedFrames(runs: readonly (readonly number[])[]): readonly number[] {
  let best = runs[0];
  for (const times of runs) {
    const later = times[times.length - 1] - best[best.length - 1];
    if (later > 0 || (later === 0 && times.length > best.length)) best = times;
  }
  return best;
}
