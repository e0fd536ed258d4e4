import fs from 'node:fs';
import path from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { giveUp, step } from './say.mjs';
import { oncePerKey } from './stamps.mjs';
import { areas } from '../../stryker.config.mjs';
import { bringToolchain, root } from './toolchain.mjs';

/**
 * Mutation tests of one area of `stryker.config.mjs`: Stryker in a folder of its own, so that nobody else pays for its
 * installation. Further arguments go to Stryker: `npm run mutate -- loop --mutate packages/agent-core/src/loop/approval.ts`.
 */
const [area, ...options] = process.argv.slice(2);
if (!Object.hasOwn(areas, area ?? ''))
  giveUp(`Name what to change: npm run mutate -- ${Object.keys(areas).join(' | ')}`);

const version = '10.1.1';
const folder = path.join(root, '.toolchain/mutate');
const toolchain = await bringToolchain();
await installDependencies(toolchain);
const wanted = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
await oncePerKey(path.join(folder, 'installed.json'), JSON.stringify(wanted), async () => {
  fs.mkdirSync(folder, { recursive: true });
  const flags = ['--no-audit', '--no-fund', '--save-exact', '--legacy-peer-deps', '--loglevel=error'];
  const install = () =>
    runCommand('npm', ['install', '--prefix', folder, ...flags, ...wanted], { cwd: folder, quiet: true });
  if ((await step(`bringing Stryker ${version}`, install)) !== 0) giveUp('npm could not bring Stryker.');
});
// The runner must use the Vitest that the tests import: two copies do not know each other's tests.
const vitest = path.join(folder, 'node_modules/vitest');
fs.rmSync(vitest, { recursive: true, force: true });
fs.symlinkSync(path.join(root, 'node_modules/vitest'), vitest, 'junction');

const stryker = path.join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const runner = path.join(folder, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js');
process.exitCode = await runCommand(toolchain.node, [stryker, 'run', '--plugins', runner, ...options], {
  cwd: root,
  env: { ...toolchain.env, MUTATE_AREA: area },
});
