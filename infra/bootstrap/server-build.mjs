import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.mjs';
import { exitWithError, step } from './terminal.mjs';
import { hashOf } from './stamps.mjs';
import { root } from './toolchain.mjs';

const builds = path.join(root, 'node_modules/.docwright/server');
const dayMs = 24 * 60 * 60 * 1000;

const flags = ['--disable-warning=ExperimentalWarning', '--enable-source-maps'];

/**
 * Flags for little memory. With the defaults of V8 and glibc the idle server takes about 45 MB more, and reading a document of
 * 900 pages leaves 250 MB of garbage, because V8 collects a small heap only after it has grown several times over. Collecting
 * after growth by half takes a tenth more processor time meanwhile. A larger young generation would stream a fifth faster
 * with 200 chats at once: for such loads run `node apps/api/src/server.ts` with flags of your own.
 */
const memoryFlags = ['--max-semi-space-size=2', '--v8-pool-size=1', '--heap-growing-percent=50'];

/**
 * Bundles the server into a folder named by the hash of its sources, unless that folder exists. Returns the file to start,
 * the flags of Node.js, those for little memory, and the environment, which makes it cache its compiled code.
 */
export async function buildServer({ node, env }) {
  const key = hashOf(['apps/api/src', 'packages', 'pnpm-lock.yaml', 'infra/bootstrap/bundle-server.mjs'], root + node);
  const folder = path.join(builds, key.slice(0, 16));
  const build = {
    server: path.join(folder, 'server.mjs'),
    flags,
    memoryFlags,
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
  };
  if (fs.existsSync(folder)) return build;
  fs.mkdirSync(builds, { recursive: true });
  removeOld();
  // Two processes can build at the same time: each writes into a folder of its own and renames it when it is complete.
  const unfinished = fs.mkdtempSync(path.join(builds, 'unfinished-'));
  const script = path.join(root, 'infra/bootstrap/bundle-server.mjs');
  const bundle = () =>
    runCommand(node, ['--experimental-import-meta-resolve', script, unfinished], { cwd: root, env, quiet: true });
  if ((await step('building the server', bundle)) !== 0)
    exitWithError('The server could not be built; the reason is above.');
  try {
    fs.renameSync(unfinished, folder);
  } catch (error) {
    if (!fs.existsSync(folder)) throw error;
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return build;
}

/** Removes builds older than a day. Younger ones stay, because a running server still loads chunks of its own build. */
function removeOld() {
  for (const name of fs.readdirSync(builds)) {
    const build = path.join(builds, name);
    if (fs.statSync(build).mtimeMs < Date.now() - dayMs) fs.rmSync(build, { recursive: true, force: true });
  }
}

// For tests: builds the server, and prints the result as the last line.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const build = await buildServer({ node: process.execPath, env: process.env });
  process.stdout.write(`${JSON.stringify(build)}\n`);
}
