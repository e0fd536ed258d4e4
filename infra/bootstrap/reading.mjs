import path from 'node:path';
import { findOrInstallChromium } from './chromium.mjs';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { installToolchain, root } from './toolchain.mjs';

const toolchain = await installToolchain();
await installDependencies(toolchain);
const chromium = await findOrInstallChromium(toolchain);
const command = [
  '--disable-warning=ExperimentalWarning',
  path.join(root, 'tests/reading/reading.ts'),
  ...process.argv.slice(2),
];
process.exitCode = await runCommand(toolchain.node, command, {
  cwd: root,
  env: { ...toolchain.env, ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }) },
});
