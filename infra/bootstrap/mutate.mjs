import fs from 'node:fs';
import path from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { exitWithError, step } from './terminal.mjs';
import { oncePerKey } from './stamps.mjs';
import { areas } from '../../stryker.config.mjs';
import { installToolchain, root } from './toolchain.mjs';

/**
 * Mutation tests of one area of `stryker.config.mjs`. Stryker is installed with the first run, in a folder of its own, because
 * few contributors need it. Further arguments go to Stryker:
 * `npm run mutate -- loop --mutate packages/agent-core/src/loop/approval.ts`.
 */
const [area, ...options] = process.argv.slice(2);
if (!Object.hasOwn(areas, area ?? ''))
  exitWithError(`Name one area: npm run mutate -- ${Object.keys(areas).join(' | ')}`);

const version = '10.1.1';
const folder = path.join(root, '.toolchain/mutate');
const toolchain = await installToolchain();
await installDependencies(toolchain);
const wanted = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
await oncePerKey(path.join(folder, 'installed.json'), JSON.stringify(wanted), async () => {
  fs.mkdirSync(folder, { recursive: true });
  const flags = ['--no-audit', '--no-fund', '--save-exact', '--legacy-peer-deps', '--loglevel=error'];
  const install = () =>
    runCommand('npm', ['install', '--prefix', folder, ...flags, ...wanted], { cwd: folder, quiet: true });
  if ((await step(`installing Stryker ${version}`, install)) !== 0) exitWithError('npm could not install Stryker.');
});
// The runner must use the Vitest that the tests import: a second copy would not see their tests.
const vitest = path.join(folder, 'node_modules/vitest');
fs.rmSync(vitest, { recursive: true, force: true });
fs.symlinkSync(path.join(root, 'node_modules/vitest'), vitest, 'junction');

const stryker = path.join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const runner = path.join(folder, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js');
process.exitCode = await runCommand(toolchain.node, [stryker, 'run', '--plugins', runner, ...options], {
  cwd: root,
  env: { ...toolchain.env, MUTATE_AREA: area },
});
