// SPDX-License-Identifier: Apache-2.0
import type { Clock } from './clock';

// After a hidden tab or a long stall playback goes on, it does not jump.
const LONGEST_STEP = 0.1;

/** Lets the clock run with the browser's frames, only while it plays. */
export function drive(clock: Clock): void {
  let before = 0;
  const tick = (now: number): void => {
    if (!clock.playing.value) return;
    if (before > 0) clock.advance(Math.min(LONGEST_STEP, (now - before) / 1000));
    before = now;
    requestAnimationFrame(tick);
  };
  clock.playing.watch((on) => {
    before = 0;
    if (on) requestAnimationFrame(tick);
  });
}
