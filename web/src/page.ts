// SPDX-License-Identifier: Apache-2.0
// Puts the page together: tables and plots at once, the 3D view as soon as its frames are unpacked.
import { h } from './core/dom';
import type { Debug } from './debug';
import { unpackAnimation, type Animation } from './format/animation';
import { DataError } from './format/data_error';
import { textAt } from './core/json';
import { showsModes } from './core/modes';
import { ShownRuns } from './core/shown_runs';
import { useUnits } from './core/units';
import type { Report, Run } from './format/report';
import { listenToKeys } from './keyboard';
import { banner, claimNote, runBanner } from './panels/banner';
import { createComparisonPanel } from './panels/comparison_panel';
import { createCostPanel } from './panels/cost_panel';
import { createCurvesPanel } from './panels/curves_panel';
import { energyGroup } from './panels/energy_columns';
import { createErrorsPanel } from './panels/errors_panel';
import { createFacts } from './panels/facts_panel';
import { createGuardPanel } from './panels/guard_panel';
import { createHeader } from './panels/header';
import { createHelp, toggleHelp } from './panels/help';
import { createManifestPanel } from './panels/manifest_panel';
import { createModesPanel } from './panels/modes_panel';
import { healthNotes, statusOf } from './panels/run_status';
import { createParametersPanel } from './panels/parameters_panel';
import { createStepsPanel } from './panels/steps_panel';
import { momentumGroups, probeGroups } from './panels/vector_curves';
import { Clock, sharedFrames } from './play/clock';
import { drive } from './play/ticker';
import type { Actor } from './view/stage';
import { upOf } from './view/up';
import { createViewer, hasWebGl } from './view/viewer';

/** The animation if there is one; what cannot be read is added to the problems of the run. */
async function animate(run: Run): Promise<Animation | null> {
  if (run.motion === null) return null;
  try {
    const animation = await unpackAnimation(run.motion.surfaces, run.motion.frames);
    run.problems.push(...animation.problems);
    return animation;
  } catch (error) {
    // Whatever else goes wrong with huge or strange data must not take the plots along.
    run.problems.push(error instanceof DataError ? error.message : `the frames could not be unpacked (${String(error)}).`);
    return null;
  }
}

function withoutViewer(slot: HTMLElement, layout: HTMLElement, title: string, text: string): void {
  layout.classList.add('flat');
  slot.replaceChildren(h('div', { class: 'panel no-frames' }, h('strong', {}, title), h('p', { class: 'muted' }, text)));
}

export function buildPage(root: HTMLElement, report: Report, debug: Debug): void {
  // results of other programs do not say
  useUnits(report.runs.map((run) => textAt(run.manifest, 'scene', 'units')).find((units) => units !== null) ?? null);
  const { runs } = report;
  const compare = report.mode === 'compare' && runs.length > 1;
  const isModes = showsModes(runs[0].manifest);
  document.title = report.title;

  const times = runs.flatMap((run) => (run.motion ? [run.motion.frames.times] : []));
  const clock = times.length > 0 ? new Clock(sharedFrames(times)) : null;
  if (clock) drive(clock);
  const shown = new ShownRuns(runs.length);
  const energy = createCurvesPanel(report, clock, shown, {
    id: 'energy', title: 'Energy', groups: [energyGroup(runs)], first: 'total', empty: 'The energy ledger is empty.',
  });
  const probed = probeGroups(runs);
  const probes = probed.length === 0 ? null : createCurvesPanel(report, clock, shown, {
    id: 'probes', title: 'Probes', groups: probed, first: 'magnitude', empty: 'No probe was recorded.',
  });
  const momentum = createCurvesPanel(report, clock, shown, {
    id: 'momentum', title: 'Momentum', groups: momentumGroups(), first: 'magnitude', empty: 'No momentum was recorded.',
  });
  const steps = createStepsPanel(report, clock);
  Object.assign(debug, { report, clock, energy, probes, momentum, shown, steps });

  const help = createHelp();
  const banners = h('div', { class: 'banners' }, claimNote(report.claim));
  for (const run of runs) {
    const note = runBanner(run);
    if (note) banners.append(note);
    for (const text of healthNotes(run)) banners.append(banner('warn', `${run.name}:`, `${text}.`));
  }
  const slot = h('div', { class: 'viewer-slot' }, h('div', { class: 'viewer loading' }, h('p', { class: 'muted', role: 'status' }, 'Unpacking the frames …')));
  const panels = h(
    'div', { class: 'panels' },
    compare ? createComparisonPanel(report, shown) : createFacts(runs[0]),
    compare ? createParametersPanel(runs, shown) : null,
    createModesPanel(runs[0]),
    isModes ? null : energy.element,
    report.errors ? createErrorsPanel(report.errors, runs, shown) : null,
    probes?.element ?? null,
    isModes ? null : momentum.element,
    createGuardPanel(report, clock, shown),
    createCostPanel(report, shown), isModes ? null : steps.element, createManifestPanel(report),
  );
  const layout = h('main', { class: 'layout' }, slot, panels);
  const top = h('div', { class: 'page-top' }, createHeader(report, () => toggleHelp(help)), banners);
  root.replaceChildren(top, layout, help);
  // The view fills what the top leaves of the window; the style sheet cannot know how much that is.
  new ResizeObserver(() => root.style.setProperty('--above', `${top.offsetHeight}px`)).observe(top);
  listenToKeys({ clock, viewer: () => debug.viewer, help: () => toggleHelp(help), isHelpOpen: () => help.open });

  const showMotion = async (): Promise<void> => {
    const animations = await Promise.all(runs.map(animate));
    const actors = animations.flatMap((animation, run): Actor[] => (animation ? [{ run, name: runs[run].label, finished: statusOf(runs[run]) === 'finished', animation }] : []));
    const problems = runs.flatMap((run) => run.problems.map((problem) => `${run.name}: ${problem}`));
    debug.animations = animations;
    if (problems.length > 0) {
      banners.append(banner('warn', 'Part of the data in this page cannot be read.', problems.join(' ')));
    }
    if (actors.length === 0 || !clock) {
      const damaged = problems.length > 0;
      withoutViewer(slot, layout, damaged ? 'The motion cannot be shown.' : 'No frames in this report.',
        damaged ? 'Everything else in this report can.' : 'The run was made without frames, or ended before the first. Energies, cost and steps are all here.');
    } else if (!hasWebGl()) {
      withoutViewer(slot, layout, 'This browser shows no 3D.', 'WebGL 2 is missing or switched off. Energies, cost and steps are all here.');
    } else {
      try {
        const viewer = createViewer(actors, clock, shown, { up: upOf(runs[0].manifest), modes: isModes });
        slot.replaceChildren(viewer.element);
        debug.viewer = viewer;
      } catch (error) {
        // Graphics drivers fail in ways of their own.
        withoutViewer(slot, layout, 'The 3D view could not start.', `${String(error)}. Energies, cost and steps are all here.`);
      }
    }
  };
  debug.ready = showMotion();
}
