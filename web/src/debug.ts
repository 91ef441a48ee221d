// SPDX-License-Identifier: Apache-2.0
// window.sinew: the decoded data and what shows it, for tests and for the curious in the console.
import type { ShownRuns } from './core/shown_runs';
import type { Animation } from './format/animation';
import type { Report } from './format/report';
import type { CurvesPanel } from './panels/curves_panel';
import type { StepsPanel } from './panels/steps_panel';
import type { Clock } from './play/clock';
import type { Viewer } from './view/viewer';

export interface Debug {
  report: Report | null;
  clock: Clock | null;
  energy: CurvesPanel | null;
  /** Null where the scene has no probes. */
  probes: CurvesPanel | null;
  momentum: CurvesPanel | null;
  shown: ShownRuns | null;
  steps: StepsPanel | null;
  /** One per run; null without frames or with damaged ones. */
  animations: (Animation | null)[];
  viewer: Viewer | null;
  /** Resolves when everything is on the page, also after failures. */
  ready: Promise<void>;
}

declare global {
  interface Window {
    sinew: Debug;
  }
}
