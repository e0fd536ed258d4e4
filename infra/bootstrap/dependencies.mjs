import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.mjs';
import { exitWithError, step } from './terminal.mjs';
import { hashOf, oncePerKey } from './stamps.mjs';
import { root } from './toolchain.mjs';

const stamp = path.join(root, 'node_modules/.docwright/dependencies');

function manifests() {
  const packages = ['apps', 'packages'].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  );
  return ['package.json', 'tests/package.json', ...packages];
}

/** Installs exactly the versions of the lockfile, unless they are installed already. */
export async function installDependencies({ env }) {
  const key = hashOf(['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()], `${process.platform}-${process.arch}`);
  await oncePerKey(stamp, key, async () => {
    const code = await step('installing dependencies', () =>
      runCommand('pnpm', ['install', '--frozen-lockfile', '--reporter=append-only'], { cwd: root, env, quiet: true }),
    );
    if (code !== 0) exitWithError('pnpm could not install the dependencies. Its last output is above.');
  });
}
