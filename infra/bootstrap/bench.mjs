import fs from 'node:fs';
import path from 'node:path';
import { benchArguments } from './bench-arguments.mjs';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { exitWithError, print } from './terminal.mjs';
import { installToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const folder = path.join(root, 'tests/bench');
const benchmarks = fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.bench.ts'));
const { isShort, chosen, options, problem } = benchArguments(process.argv.slice(2), benchmarks);
if (problem) exitWithError(problem);
const toolchain = await installToolchain();
await installDependencies(toolchain);
// Only this benchmark starts the whole product.
if (chosen.includes('startup.bench.ts')) await buildWeb(toolchain);
for (const name of chosen) {
  print(`\n# ${name}`);
  const command = ['--disable-warning=ExperimentalWarning', path.join(folder, name), ...options];
  const env = { ...toolchain.env, ...(isShort && { BENCH_SHORT: 'true' }) };
  const code = await runCommand(toolchain.node, command, { cwd: root, env });
  if (code !== 0) process.exitCode = code;
}
