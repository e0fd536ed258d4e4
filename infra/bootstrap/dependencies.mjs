import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.mjs';
import { giveUp, step } from './say.mjs';
import { hashOf, oncePerKey } from './stamps.mjs';
import { root } from './toolchain.mjs';

const stamp = path.join(root, 'node_modules/.docwright/dependencies');

function manifests() {
  const packages = ['apps', 'packages'].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  );
  return ['package.json', 'tests/package.json', ...packages];
}

/** Installs exactly what the lockfile names; nothing to do while it has not changed. */
export async function installDependencies({ env }) {
  const key = hashOf(['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()], `${process.platform}-${process.arch}`);
  await oncePerKey(stamp, key, async () => {
    const code = await step('installing dependencies', () =>
      runCommand('pnpm', ['install', '--frozen-lockfile', '--reporter=append-only'], { cwd: root, env, quiet: true }),
    );
    if (code !== 0) giveUp('pnpm could not install the dependencies; its last words are above.');
  });
}
