import fs from 'node:fs';
import path from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { giveUp, say } from './say.mjs';
import { bringToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const toolchain = await bringToolchain();
await installDependencies(toolchain);
await buildWeb(toolchain);

const folder = path.join(root, 'tests/bench');
const wanted = process.argv.slice(2);
const all = fs.readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
const chosen = all.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (chosen.length === 0) giveUp(`No benchmark is called so. There are: ${all.join(', ')}`);
for (const name of chosen) {
  say(`\n# ${name}`);
  const args = ['--disable-warning=ExperimentalWarning', path.join(folder, name)];
  const code = await runCommand(toolchain.node, args, { cwd: root, env: toolchain.env });
  if (code !== 0) process.exitCode = code;
}
