import fs from 'node:fs';
import path from 'node:path';
import { benchArguments } from './bench-arguments.mjs';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { giveUp, say } from './say.mjs';
import { bringToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const folder = path.join(root, 'tests/bench');
const benchmarks = fs.readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
const { isShort, chosen, options, problem } = benchArguments(process.argv.slice(2), benchmarks);
if (problem) giveUp(problem);
const toolchain = await bringToolchain();
await installDependencies(toolchain);
// Only what starts the whole product needs the web app.
if (chosen.includes('startup.bench.ts')) await buildWeb(toolchain);
for (const name of chosen) {
  say(`\n# ${name}`);
  const command = ['--disable-warning=ExperimentalWarning', path.join(folder, name), ...options];
  const env = { ...toolchain.env, ...(isShort && { BENCH_SHORT: 'true' }) };
  const code = await runCommand(toolchain.node, command, { cwd: root, env });
  if (code !== 0) process.exitCode = code;
}
