import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.mjs';
import { exitWithError, step } from './terminal.mjs';
import { hashOf, oncePerKey } from './stamps.mjs';
import { root } from './toolchain.mjs';

const stamp = path.join(root, 'node_modules/.docwright/web-build');

/** Builds the web app into `apps/web/dist`, unless that was done for the same sources. */
export async function buildWeb({ node, env }) {
  if (!fs.existsSync(path.join(root, 'apps/web/dist/index.html'))) fs.rmSync(stamp, { force: true });
  const key = hashOf(['apps/web', 'packages/contract', 'pnpm-lock.yaml']);
  await oncePerKey(stamp, key, async () => {
    const cwd = path.join(root, 'apps/web');
    const vite = path.join(cwd, 'node_modules/vite/bin/vite.js');
    const code = await step('building the web app', () => runCommand(node, [vite, 'build'], { cwd, env, quiet: true }));
    if (code !== 0) exitWithError('The web app could not be built; the reason is above.');
  });
}
