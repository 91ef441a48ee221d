// SPDX-License-Identifier: Apache-2.0
import 'uplot/dist/uPlot.min.css';
import './style/index.css';
import { startTheme } from './core/theme';
import { DataError } from './format/data_error';
import { readReport } from './format/report';
import { buildPage } from './page';
import { banner } from './panels/banner';
import { messagePage } from './panels/message_page';

function start(): void {
  startTheme();
  const root = document.getElementById('sinew-page') as HTMLElement;
  window.sinew = {
    report: null, clock: null, energy: null, probes: null, momentum: null, shown: null, steps: null, animations: [], viewer: null,
    ready: Promise.resolve(),
  };

  // The last resort: say something rather than stop silently.
  const surprise = (reason: unknown): void => {
    root.prepend(banner('bad', 'Something went wrong in this page.', String(reason)));
  };
  window.addEventListener('error', (event) => surprise(event.message));
  window.addEventListener('unhandledrejection', (event) => surprise(event.reason));

  try {
    buildPage(root, readReport(document.getElementById('sinew-data')?.textContent ?? null), window.sinew);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    root.replaceChildren(messagePage('This report cannot be shown', error.message));
  }
}

start();
