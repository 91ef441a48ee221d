// SPDX-License-Identifier: Apache-2.0
// A value that tells others when it changes: the only glue between controls, view and plots.

export class Value<T> {
  private readonly watchers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const watcher of this.watchers) watcher(next);
  }

  /** Calls `watcher` now and after every change, until the returned function is called. */
  watch(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    watcher(this.current);
    return () => this.watchers.delete(watcher);
  }
}
