import path from 'node:path';
import { findOrInstallChromium } from './chromium.mjs';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { installToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const toolchain = await installToolchain();
await installDependencies(toolchain);
const env = { ...toolchain.env };
// Only this scenario has a browser.
if (process.argv[2] === 'pages') {
  await buildWeb(toolchain);
  env.CHROMIUM_PATH = await findOrInstallChromium(toolchain);
}
const command = [
  '--disable-warning=ExperimentalWarning',
  path.join(root, 'tests/load/load.ts'),
  ...process.argv.slice(2),
];
process.exitCode = await runCommand(toolchain.node, command, { cwd: root, env });
