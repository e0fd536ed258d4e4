import path from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { installToolchain, root } from './toolchain.mjs';

const toolchain = await installToolchain();
await installDependencies(toolchain);
const script = path.join(root, 'apps/api/src/process/copies/restore-command.ts');
const args = ['--disable-warning=ExperimentalWarning', script, ...process.argv.slice(2)];
process.exitCode = await runCommand(toolchain.node, args, { cwd: root, env: toolchain.env });
