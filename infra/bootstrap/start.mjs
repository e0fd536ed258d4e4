import { spawn } from 'node:child_process';
import path from 'node:path';
import { fillCompileCache } from './compile-cache.mjs';
import { installDependencies } from './dependencies.mjs';
import { superviseServer } from './supervise.mjs';
import { bringToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const supervise = superviseServer();
const toolchain = await bringToolchain();
await installDependencies(toolchain);
// A worker shows nobody anything.
if (process.env.ROLE !== 'worker') await buildWeb(toolchain);

const server = path.join(root, 'apps/api/src/server.ts');
// With the defaults of V8 and glibc the idle server holds about 45 MB more. A larger young generation would stream a fifth
// faster under 200 chats at once: for such loads run `node apps/api/src/server.ts` with flags of your own.
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2', '--v8-pool-size=1'];
const compiled = await fillCompileCache(toolchain, flags, server);
const child = spawn(toolchain.node, [...flags, server], {
  cwd: root,
  env: { MALLOC_ARENA_MAX: '2', ...compiled, ...toolchain.env },
  stdio: 'inherit',
});
supervise(child);
