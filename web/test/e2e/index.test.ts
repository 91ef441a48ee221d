// SPDX-License-Identifier: Apache-2.0
// All tests in one process: starting the browser takes longer than most of them.
import { after } from 'node:test';
import { closeBrowser } from './browser';
import './run';
import './compare';
import './sweep';
import './breaking';
import './forces';
import './damaged';

after(closeBrowser);
