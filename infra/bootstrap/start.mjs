import { spawn } from 'node:child_process';
import path from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { bringToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const toolchain = await bringToolchain();
await installDependencies(toolchain);
await buildWeb(toolchain);

const server = path.join(root, 'apps/api/src/server.ts');
// With V8's default young generation and glibc's default arenas the idle server holds about 45 MB more.
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2', '--v8-pool-size=1'];
const child = spawn(toolchain.node, [...flags, server], {
  cwd: root,
  env: { MALLOC_ARENA_MAX: '2', ...toolchain.env },
  stdio: 'inherit',
});
// A terminal sends Ctrl-C to the server as well; this process only waits, so that the prompt returns after the last line.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
