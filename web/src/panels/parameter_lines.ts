// SPDX-License-Identifier: Apache-2.0
// A result of the runs of a sweep over one of its parameters: a line for each combination of the others.
import { formatNumber, prettyUnit } from '../core/number_format';
import { lineStyle } from '../core/run_colours';
import { parseNumber } from '../format/csv';
import type { Run } from '../format/report';
import { categoryAxis, fittingAxis, type Axis } from '../plots/axes';
import type { Diagram, DiagramLine } from '../plots/diagram';
import { firstAlike } from '../plots/same_curves';
import { isNumeric, titleWithUnit, valueOf, type Parameter } from './run_parameters';
import type { Result } from './run_results';

/** "integrator = si, dt = 0.01" */
function describe(run: Run, parameters: Parameter[]): string {
  if (parameters.length === 0) return 'all runs';
  return parameters.map((parameter) => `${parameter.name} = ${valueOf(run, parameter) ?? '?'}`).join(', ');
}

/** The part of a category's place that the lines share, each with its own points beside the others'. */
const SHARED = 0.6;

/** Says which lines lie on an earlier one. */
function nameAlike(lines: DiagramLine[], x: Axis, y: Axis): void {
  const drawn = lines.filter((line) => line.points.length > 0);
  const curves = drawn.map(({ points }) => ({ times: points.map((point) => x.share(point.x)), values: points.map((point) => y.share(point.y)) }));
  firstAlike(curves, 1).forEach((first, i) => {
    if (first !== i) drawn[i].sameAs = drawn[first].name;
  });
}

/** Runs that `isShown` leaves out keep their places and the looks of the others. */
export function parameterDiagram(
  runs: Run[], parameters: Parameter[], along: Parameter, result: Result, isShown: (run: number) => boolean,
): Diagram {
  const others = parameters.filter((parameter) => parameter !== along);
  const words = isNumeric(along, runs) ? null : [...new Set(runs.map((run) => valueOf(run, along) ?? '?'))];
  const lineNames = [...new Set(runs.map((run) => describe(run, others)))];
  const lines = lineNames.map((name, k): DiagramLine => ({ name, ...lineStyle(k), points: [] }));
  runs.forEach((run, i) => {
    const value = valueOf(run, along);
    const y = result.of(run);
    if (value === null || y === null || !isShown(i)) return;
    const k = lineNames.indexOf(describe(run, others));
    const x = words === null ? parseNumber(value) : words.indexOf(value) + SHARED * ((k + 0.5) / lines.length - 0.5);
    const title = `${describe(run, parameters)}: ${result.name} ${formatNumber(y)} ${prettyUnit(result.unit)}`.trimEnd();
    lines[k].points.push({ x, y, title });
  });
  for (const line of lines) line.points.sort((a, b) => a.x - b.x);
  const points = lines.flatMap((line) => line.points);
  const x = words === null ? fittingAxis(points.map((point) => point.x)) : categoryAxis(words);
  const y = fittingAxis(points.map((point) => point.y));
  if (words === null) nameAlike(lines, x, y);
  return {
    x, y,
    titles: { x: titleWithUnit(along.name, along.unit), y: titleWithUnit(result.name, result.unit) },
    lines, pointsOnly: words !== null, label: `${result.name} over ${along.name}`,
  };
}
