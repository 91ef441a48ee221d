// SPDX-License-Identifier: Apache-2.0
// Compiles test/unit or test/e2e with esbuild and hands them to node's test runner.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

const kind = process.argv[2];
const names = readdirSync(`test/${kind}`).filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: names.map((name) => `test/${kind}/${name}`),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  outdir: `dist/test/${kind}`,
  outExtension: { '.js': '.mjs' },
  sourcemap: 'inline',
});
const files = names.map((name) => `dist/test/${kind}/${name.replace(/\.ts$/, '.mjs')}`);
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', '--test-reporter=spec', '--test-concurrency=1', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
