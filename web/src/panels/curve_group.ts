// SPDX-License-Identifier: Apache-2.0
// Quantities of a run over time, in groups that share an axis.
import type { Run } from '../format/report';
import { isAllZero } from '../plots/columns';
import type { TimeCurve } from '../plots/same_curves';

export interface Curve {
  name: string;
  title: string;
  colour: string;
  width?: number;
  dash?: number[];
  shape?: string;
  /** Without rows for a run that has none. */
  of(run: Run): TimeCurve;
}

export interface CurveGroup {
  name: string;
  title: string;
  /** Of the axis: what it is, without the unit. */
  quantity: string;
  unit: string;
  curves: Curve[];
  /** What a reader has to know about the numbers. */
  note?: string;
}

/** Curves that have something to show, and the titles of those that are zero throughout. */
export function splitZero(curves: Curve[], runs: Run[]): { filled: Curve[]; zero: string[] } {
  const isZero = (curve: Curve): boolean => runs.every((run) => isAllZero(curve.of(run).values));
  return { filled: curves.filter((curve) => !isZero(curve)), zero: curves.filter(isZero).map(({ title }) => title) };
}
