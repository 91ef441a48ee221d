// SPDX-License-Identifier: Apache-2.0
// Bundles src/ into the one file dist/report.html.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const MARKER = '<script type="application/json" id="sinew-data">null</script>';
const LARGEST = 900_000;

const { outputFiles } = await build({
  entryPoints: ['src/main.ts'],
  bundle: true,
  minify: true,
  write: false,
  outdir: 'dist',
  format: 'iife',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'none',
});
const textOf = (extension) => outputFiles.find((file) => file.path.endsWith(extension)).text.trim();
const script = textOf('.js');
const style = textOf('.css');

// Either would end the element early.
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the bundle cannot be inlined');

// The licences of what is bundled travel with it.
const notices = [];
for (const name of ['three', 'uplot']) {
  const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'));
  notices.push(`${name} ${version}\n\n${(await readFile(`node_modules/${name}/LICENSE`, 'utf8')).trim()}`);
}
const notice = notices.join('\n\n');
if (notice.includes('--')) throw new Error('the notices cannot stand in a comment');

const template = await readFile('src/template.html', 'utf8');
// Functions, because "$&" in the bundle must stay what it is.
const page = template
  .replace('/*STYLE*/', () => style)
  .replace('/*SCRIPT*/', () => script)
  .replace('</body>', () => `<!--\nThis page contains\n\n${notice}\n-->\n</body>`);
if (page.split(MARKER).length !== 2) throw new Error('the marker of the data must stand in the page once');

await mkdir('dist', { recursive: true });
await writeFile('dist/report.html', page);
const size = Buffer.byteLength(page);
console.log(`dist/report.html ${(size / 1000).toFixed(0)} kB`);
if (size > LARGEST) throw new Error(`larger than ${LARGEST / 1000} kB`);
