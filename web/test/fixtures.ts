// SPDX-License-Identifier: Apache-2.0
// Made-up runs: a bar held at x = 0 that swings under its weight.
import type { JsonObject } from '../src/core/json';
import { FORMAT, type Errors, type PackedReport, type PackedRun, type Triple } from '../src/format/packed';
import { packFrames, packSurface, packVectors, type RawField, type RawVectors } from './encode';

const SIZE: Triple = [1, 0.16, 0.16];

interface Surface {
  points: Triple[];
  indices: number[];
}

/** Surface of a box of cells, vertices shared between its sides. */
export function boxSurface(size: Triple, cells: Triple): Surface {
  const points: Triple[] = [];
  const numbers = new Map<string, number>();
  const vertex = (place: Triple): number => {
    const key = place.join();
    let number = numbers.get(key);
    if (number === undefined) {
      number = points.push(place.map((p, k) => (p / cells[k] - (k === 0 ? 0 : 0.5)) * size[k]) as Triple) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const indices: number[] = [];
  for (let axis = 0; axis < 3; ++axis) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [0, cells[axis]]) {
      for (let i = 0; i < cells[u]; ++i) {
        for (let j = 0; j < cells[v]; ++j) {
          const corner = (a: number, b: number): number => {
            const place: Triple = [0, 0, 0];
            place[axis] = side;
            place[u] = i + a;
            place[v] = j + b;
            return vertex(place);
          };
          const quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          if (side === 0) quad.reverse();
          indices.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]);
        }
      }
    }
  }
  return { points, indices };
}

export interface BarOptions {
  name?: string;
  integrator?: string;
  dt?: number;
  /** How fast the swing dies away [1/s]: numerical damping. */
  decay?: number;
  frames?: number;
  fps?: number;
  cells?: Triple;
  withFrames?: boolean;
  wall?: number;
  status?: 'finished' | 'failed' | 'stopped' | 'running';
  reason?: string;
  rejected?: number;
  /** Frame from which on the outer half of the bar has come off and falls; 0: it never does. */
  breaks?: number;
  /** Up in the manifest; not given: none is there. */
  up?: Triple | null;
  /** Steps in the middle that the guard makes with the projected tangent, half as many then by be. */
  redone?: number;
  /** Whether something below the free end holds it up wherever it hangs lower than at rest. */
  supported?: boolean;
}

const OMEGA = 7.2;
const SAG = 0.3;

/** Deflection of the free end [m] and its rate [m/s]. */
function tip(t: number, decay: number): { z: number; rate: number } {
  const envelope = Math.exp(-decay * t);
  return {
    z: -SAG * (1 - envelope * Math.cos(OMEGA * t)),
    rate: -SAG * envelope * (OMEGA * Math.sin(OMEGA * t) + decay * Math.cos(OMEGA * t)),
  };
}

// First bending shape of a cantilever: 1 at the tip.
const shape = (x: number): number => (x * x * (3 - x)) / 2;
const slope = (x: number): number => (6 * x - 3 * x * x) / 2;
const curvature = (x: number): number => 3 - 3 * x;

function bend([x, y, z]: Triple, deflection: number): Triple {
  const angle = deflection * slope(x);
  // Shortening keeps the bar about as long as it was.
  const shortening = 0.6 * deflection * deflection * x ** 3;
  return [x - shortening - z * Math.sin(angle), y, deflection * shape(x) + z * Math.cos(angle)];
}

function motion(surface: Surface, times: number[], decay: number): { positions: Triple[][]; fields: RawField[] } {
  const positions: Triple[][] = [];
  const speed: number[][] = [], displacement: number[][] = [], vonMises: number[][] = [], density: number[][] = [];
  for (const t of times) {
    const { z, rate } = tip(t, decay);
    const now = surface.points.map((point) => bend(point, z));
    positions.push(now);
    speed.push(surface.points.map(([x]) => Math.abs(rate) * shape(x)));
    displacement.push(surface.points.map((point, i) => Math.hypot(...point.map((p, k) => now[i][k] - p))));
    const stress = surface.points.map(([x, , height]) => 1e6 * Math.abs(z * curvature(x) * height));
    vonMises.push(stress);
    density.push(stress.map((value) => (value * value) / 2e6));
  }
  return {
    positions,
    fields: [
      { name: 'speed', unit: 'm/s', values: speed },
      { name: 'displacement', unit: 'm', values: displacement },
      { name: 'von_mises', unit: 'Pa', values: vonMises },
      { name: 'energy_density', unit: 'J/m^3', values: density },
    ],
  };
}

/** Upward forces on the lower side of the free end, and friction as it slides along. */
function support({ points }: Surface, times: number[], decay: number): RawVectors[] {
  const touching = points.flatMap(([x, , z], vertex) => (x > 0.7 * SIZE[0] && z < -0.49 * SIZE[2] ? [vertex] : []));
  const frames = times.map((t) => {
    const { z, rate } = tip(t, decay);
    const depth = -SAG - z;
    return depth > 0 ? touching.map((vertex) => ({ vertex, push: 100 * depth * points[vertex][0] ** 4, slide: Math.sign(rate) })) : [];
  });
  return [
    { name: 'contact_force', unit: 'N', values: frames.map((frame) => frame.map(({ vertex, push }) => ({ vertex, value: [-0.2 * push, 0, push] }))) },
    { name: 'friction_force', unit: 'N', values: frames.map((frame) => frame.map(({ vertex, push, slide }) => ({ vertex, value: [0.3 * slide * push, 0, 0] }))) },
  ];
}

/** The bar in two, vertices of the break twice; those of the outer half are the last. */
function broken(cells: Triple): { surface: Surface; inner: number } {
  const half: Triple = [cells[0] / 2, cells[1], cells[2]];
  const inner = boxSurface([SIZE[0] / 2, SIZE[1], SIZE[2]], half);
  const outer = inner.points.map(([x, y, z]): Triple => [x + SIZE[0] / 2, y, z]);
  const count = inner.points.length;
  return {
    surface: { points: [...inner.points, ...outer], indices: [...inner.indices, ...inner.indices.map((index) => index + count)] },
    inner: count,
  };
}

interface Motion {
  positions: Triple[][];
  fields: RawField[];
}

/** First the one motion, then the other. */
function joined(before: Motion, after: Motion): Motion {
  return {
    positions: [...before.positions, ...after.positions],
    fields: before.fields.map((field, i) => ({ ...field, values: [...field.values, ...after.fields[i].values] })),
  };
}

/** Surfaces and frames of a bar that breaks. */
function breaking(whole: Surface, options: Required<BarOptions>, times: number[]): Pick<PackedRun, 'surface' | 'frames'> {
  const { breaks, cells, decay } = options;
  const { surface, inner } = broken(cells);
  const after = motion(surface, times.slice(breaks), decay);
  after.positions.forEach((frame, i) => {
    const fall = 4.9 * (times[breaks + i] - times[breaks - 1]) ** 2;
    for (const point of frame.slice(inner)) point[2] -= fall;
  });
  const { positions, fields } = joined(motion(whole, times.slice(0, breaks), decay), after);
  return {
    surface: [packSurface(whole.points.length, whole.indices, 0), packSurface(surface.points.length, surface.indices, breaks)],
    frames: packFrames(times, positions, fields, [0, breaks]),
  };
}

export const ENERGY_HEADER =
  'step,t,kinetic,elastic,gravity,contact,total,external_work,damping_loss,friction_loss,plastic_loss,numerical_loss,px,py,pz,lx,ly,lz';
export const STEPS_HEADER =
  'step,t,dt,status,newton,matvecs,krylov,factorizations,modes_iterations,rung,projected,contacts,min_distance,seconds,inverted,regularised';

interface Ledger {
  csv: string;
  final: number;
  drift: number;
}

function ledger(end: number, dt: number, decay: number): Ledger {
  const rows = [ENERGY_HEADER];
  let final = 0, drift = 0;
  for (let step = 0; step <= Math.round(end / dt); ++step) {
    const t = step * dt;
    const { z, rate } = tip(t, decay);
    const kinetic = 3.1 * rate * rate;
    const elastic = 160.704 * z * z;
    const gravity = 96.42 * z;
    final = kinetic + elastic + gravity;
    if (Math.abs(final) > Math.abs(drift)) drift = -final;
    rows.push([step, t, kinetic, elastic, gravity, 0, final, 0, 0, 0, 0, -final, 0, 0, rate, 0, rate, 0].join());
  }
  return { csv: rows.join('\n') + '\n', final, drift };
}

/** Mean position and velocity of the free end. */
function probeTable(end: number, dt: number, decay: number): string {
  const rows = ['t,tip_x,tip_y,tip_z,tip_vx,tip_vy,tip_vz'];
  for (let step = 0; step <= Math.round(end / dt); ++step) {
    const { z, rate } = tip(step * dt, decay);
    rows.push([step * dt, SIZE[0] - 0.6 * z * z, 0, z, -1.2 * z * rate, 0, rate].join());
  }
  return rows.join('\n') + '\n';
}

function stepTable(end: number, dt: number, rejected: number, redone: number): string {
  const rows = [STEPS_HEADER];
  const steps = Math.round(end / dt);
  for (let step = 1; step <= steps; ++step) {
    const t = step * dt;
    // Failed attempts in the middle, each followed by half a step.
    if (step > steps / 2 && step <= steps / 2 + rejected) {
      rows.push([step, t, dt, 'newton-not-converged', 50, 200, 90, 3, 0, 0, 0, 0, 'inf', 0.02, 0, 1].join());
      rows.push([step, t - dt / 2, dt / 2, 'accepted', 4, 20, 9, 1, 0, 0, 0, 0, 'inf', 0.004, 0, 0].join());
      rows.push([step, t, dt / 2, 'accepted', 3, 18, 8, 0, 0, 0, 0, 0, 'inf', 0.004, 0, 0].join());
      continue;
    }
    const newton = 2 + ((step * 7) % 3);
    const place = step - Math.floor(steps / 4);
    const rung = place < 0 || place >= 1.5 * redone ? 0 : place < redone ? 1 : 3;
    rows.push([step, t, dt, 'accepted', newton, 12, 3 + ((step * 5) % 6), step % 9 === 1 ? 1 : 0, 0, rung, 0, 0, 'inf', 0.004, 0, 0].join());
  }
  return rows.join('\n') + '\n';
}

function manifest(options: Required<BarOptions>, surface: Surface, energy: Ledger, end: number): JsonObject {
  const { wall, dt, rejected, redone } = options;
  const steps = Math.round(end / dt) + rejected;
  return {
    format: 1, version: '0.2.0', status: options.status, reason: options.reason,
    scene: {
      sinew: 1, name: 'swinging-bar', description: 'A soft bar held at one end swings under its own weight.',
      bodies: [{
        name: 'bar', type: 'solid', mesh: { generator: 'bar', size: [...SIZE], cells: [...options.cells] },
        material: { model: 'stable-neo-hookean', young: 1000000, poisson: 0.45, density: 1000 }, mass: 'lumped',
      }],
      fixed: [{ select: { plane: { point: [0, 0, 0], normal: [1, 0, 0], within: 1e-6 } } }],
      loads: [{ type: 'gravity', value: [0, 0, -9.81] }],
      integrator: { name: options.integrator, tolerance: 1e-6, solver: { name: 'supernodal', factor: 'lagged' } },
      time: { dt, end: options.frames / options.fps, max_halvings: 8, tolerance: 0 },
      output: { fps: options.fps, format: ['vtu'], probes: [] }, threads: 0,
    },
    integrator: { name: options.integrator, solver: { name: 'supernodal' } },
    dt, threads: 2, dofs: 3 * surface.points.length, elements: 5 * options.cells[0] * options.cells[1] * options.cells[2],
    steps: { accepted: steps, rejected }, ...(options.up ? { up: [...options.up] } : {}),
    guard: { policy: redone > 0 ? 'ladder' : 'watch', redone: { projected: redone, si: 0, be: Math.ceil(redone / 2) } },
    seconds: {
      wall, setup: 0.0092, assemble: 0.31 * wall, factorize: 0.27 * wall, solve: 0.24 * wall, modes: 0, phi: 0,
      contact: 3.2e-6, output: 0.13 * wall,
    },
    counts: {
      force: 4 * steps, tangent: 3 * steps, analyses: 1, factorizations: Math.ceil(steps / 9), solves: 3 * steps,
      matvecs: 12 * steps, newton: 3 * steps, krylov: 5 * steps,
    },
    energy: { initial: 0, final: energy.final, drift: energy.drift, drift_max: Math.abs(energy.drift) },
    machine: { cpu: 'AMD EPYC', cores: 2, compiler: 'g++ 12.2.0', blas: 'OpenBLAS 0.3.21' },
  };
}

export function barRun(given: BarOptions = {}): PackedRun {
  const integrator = given.integrator ?? 'sdirk2';
  const options: Required<BarOptions> = {
    name: integrator, integrator, dt: 0.01, decay: 0.15, frames: 40, fps: 30, cells: [24, 4, 4], withFrames: true, wall: 1.84,
    status: 'finished', reason: 'reached the end time', rejected: 0, breaks: 0, supported: false, up: null, redone: 0, ...given,
  };
  const surface = boxSurface(SIZE, options.cells);
  const times = Array.from({ length: options.frames }, (_, i) => i / options.fps);
  // A failed run gets two thirds of the way.
  const kept = options.status === 'finished' ? times : times.slice(0, Math.ceil((2 * times.length) / 3));
  const end = kept[kept.length - 1];
  const { positions, fields } = motion(surface, kept, options.decay);
  const vectors = options.supported ? support(surface, kept, options.decay).map(packVectors) : [];
  const energy = ledger(end, options.dt, options.decay);
  return {
    name: options.name,
    manifest: manifest(options, surface, energy, end),
    energy: energy.csv,
    steps: stepTable(end, options.dt, options.rejected, options.redone),
    probes: probeTable(end, options.dt, options.decay),
    surface: options.withFrames ? packSurface(surface.points.length, surface.indices) : null,
    frames: options.withFrames ? { ...packFrames(kept, positions, fields), vectors } : null,
    ...(options.breaks > 0 ? breaking(surface, options, kept) : {}),
  };
}

export function runReport(options: BarOptions = {}): PackedReport {
  return { format: FORMAT, title: 'swinging-bar', mode: 'run', runs: [barRun(options)], errors: null };
}

/** Two methods whose bars touch something below them. */
export function supportedReport(): PackedReport {
  return {
    format: FORMAT, title: 'swinging-bar', mode: 'compare', errors: null,
    runs: [barRun({ integrator: 'sdirk2', decay: 0.1, supported: true }), barRun({ integrator: 'be', decay: 1.4, supported: true })],
  };
}

/** The bar breaks in two before frame 20. */
export function breakingReport(): PackedReport {
  return runReport({ breaks: 20 });
}

/** In one of two runs the bar breaks. */
export function halfBrokenReport(): PackedReport {
  return {
    format: FORMAT, title: 'swinging-bar', mode: 'compare', errors: null,
    runs: [barRun({ integrator: 'sdirk2', decay: 0.1 }), barRun({ integrator: 'be', decay: 1.4, breaks: 20 })],
  };
}

/** Two methods, the second of which damps a lot. */
export function compareReport(): PackedReport {
  return {
    format: FORMAT, title: 'swinging-bar', mode: 'compare', errors: errorsFixture(),
    runs: [barRun({ integrator: 'sdirk2', decay: 0.1 }), barRun({ integrator: 'be', decay: 1.4, wall: 0.97, dt: 0.02 })],
  };
}

/** Four methods, one of which fails on the way. */
export function crowdedReport(): PackedReport {
  return {
    format: FORMAT, title: 'swinging-bar', mode: 'compare', errors: errorsFixture(),
    runs: [
      barRun({ integrator: 'sdirk2', decay: 0.1 }),
      barRun({ integrator: 'be', decay: 1.4, wall: 0.97 }),
      barRun({ integrator: 'si', decay: 1.9, wall: 0.41, dt: 0.02 }),
      barRun({ integrator: 'verlet', decay: 0, wall: 0.66, status: 'failed', reason: FAILURE, rejected: 8 }),
    ],
  };
}

/** A sweep of three parameters, one of them a word; the last run fails. */
export function sweepReport(): PackedReport {
  const runs = ['1e4', '1e5', '1e6'].flatMap((young, i) => ['si', 'be'].flatMap((integrator, k) => ['0.01', '0.02'].map((dt): PackedRun => ({
    ...barRun({
      name: `young=${young}_name=${integrator}_dt=${dt}`, integrator, dt: Number(dt), decay: 0.1 * (i + 1) * (k + 1), frames: 12, cells: [6, 2, 2],
      ...(young === '1e6' && k === 1 && dt === '0.02' ? { status: 'failed', reason: FAILURE } : {}),
    }),
    parameters: [{ name: 'bodies.0.material.young', value: young }, { name: 'integrator.name', value: integrator }, { name: 'time.dt', value: dt }],
  }))));
  return { format: FORMAT, title: 'swinging-bar', mode: 'compare', runs, errors: null };
}

/** More runs than there are colours; `beere` lies on `be`. */
export function manyReport(): PackedReport {
  const steps = [0.01, 0.02];
  const names = ['str-sbdf2ere', 'be', 'sdirk2', 'bdf2', 'trapezoidal', 'beere', 'generalized-alpha', 'hht', 'tr-bdf2', 'newmark'];
  const runs = names.flatMap((integrator, i) => steps.map((dt): PackedRun => barRun({
    name: `${integrator}-${dt}`, integrator, dt, decay: integrator === 'beere' ? 0.08 * 4 : 0.08 * (3 + i), frames: 12, cells: [6, 2, 2],
  })));
  const rows: Errors['rows'] = names.flatMap((integrator, i) => [0.02, 0.01].map((dt) => ({
    run: `${integrator}-${dt}`, integrator, dt, error: 1e-3 * (i + 1) * dt, seconds: (0.02 * (i + 2)) / dt, output: 0.5 * ((0.02 * (i + 2)) / dt), status: 'finished',
  })));
  rows.push({ integrator: 'rk4', dt: 0.01, error: null, seconds: 0.2, output: 0.1, status: 'stopped' });
  return { format: FORMAT, title: 'swinging-bar', mode: 'compare', errors: { reference: 'rk4, dt = 1e-5', rows }, runs };
}

export const FAILURE =
  'step 87 at t = 0.87 s: the energy is not finite after 8 halvings. Try a smaller time.dt or an implicit integrator.';

export function failedReport(): PackedReport {
  return runReport({ status: 'failed', reason: FAILURE, rejected: 8, integrator: 'verlet' });
}

export function errorsFixture(): Errors {
  const rows: Errors['rows'] = [];
  const methods: [string, number, number][] = [['si', 0.35, 1], ['be', 0.8, 1], ['sdirk2', 1.5, 2], ['bdf2', 0.9, 2], ['rk4', 2.5, 4]];
  for (const [integrator, price, order] of methods) {
    for (const dt of [0.02, 0.01, 0.005, 0.0025]) {
      const error = integrator === 'rk4' && dt > 0.005 ? null : 0.4 * (dt / 0.02) ** order * (order === 1 ? 0.1 : 0.03);
      rows.push({ integrator, dt, error, seconds: (price * 0.02) / dt, status: error === null ? 'failed' : 'finished' });
    }
  }
  return { reference: 'rk4, dt = 1e-5', rows };
}
