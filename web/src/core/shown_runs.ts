// SPDX-License-Identifier: Apache-2.0
// Which runs the reader wants to see: one choice for the tables, all plots and the 3D view.
import { Value } from './value';

export class ShownRuns {
  /** Numbers of the runs that are hidden; never all of them. */
  readonly hidden = new Value<ReadonlySet<number>>(new Set());

  constructor(readonly count: number) {}

  isShown(run: number): boolean {
    return !this.hidden.value.has(run);
  }

  /** Hides it or shows it again. The last one stays: an empty page would tell nothing. */
  toggle(run: number): void {
    const next = new Set(this.hidden.value);
    if (!next.delete(run)) next.add(run);
    if (next.size < this.count) this.hidden.value = next;
  }

  /** Hides all others. */
  only(run: number): void {
    this.hidden.value = new Set(Array.from({ length: this.count }, (_, i) => i).filter((i) => i !== run));
  }

  all(): void {
    this.hidden.value = new Set();
  }
}
