import fs from 'node:fs';
import path from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { giveUp, say } from './say.mjs';
import { bringToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const toolchain = await bringToolchain();
await installDependencies(toolchain);
const folder = path.join(root, 'tests/bench');
const args = process.argv.slice(2);
const isShort = args.includes('--short');
const wanted = args.filter((arg) => arg !== '--short');
const all = fs.readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
const chosen = all.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (chosen.length === 0) giveUp(`No benchmark is called so. There are: ${all.join(', ')}`);
// Only what starts the whole product needs the web app.
if (chosen.includes('startup.bench.ts')) await buildWeb(toolchain);
for (const name of chosen) {
  say(`\n# ${name}`);
  const command = ['--disable-warning=ExperimentalWarning', path.join(folder, name)];
  const env = { ...toolchain.env, ...(isShort && { BENCH_SHORT: 'true' }) };
  const code = await runCommand(toolchain.node, command, { cwd: root, env });
  if (code !== 0) process.exitCode = code;
}
