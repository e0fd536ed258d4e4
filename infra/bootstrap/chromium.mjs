import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.mjs';
import { print, step } from './terminal.mjs';
import { root } from './toolchain.mjs';

/** Chromium without windows. It shows the same pages for three quarters of the processor time. */
const headlessShell = '/usr/bin/chromium-headless-shell';

const usualPaths = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const tenMinutes = 600_000;

/**
 * The path of a Chromium for the browser tests. Installs one if there is none: with apt as root on Debian, else Playwright's.
 * In CI, the one without windows is installed also beside another.
 */
export async function findOrInstallChromium(toolchain) {
  const found = findChromium(toolchain);
  const hasApt = process.getuid?.() === 0 && fs.existsSync('/etc/debian_version');
  const isEnough = process.env.CI !== 'true' || !hasApt || [process.env.CHROMIUM_PATH, headlessShell].includes(found);
  if (found !== undefined && isEnough) return found;
  if (hasApt) {
    await step('installing Chromium with apt', () => installWithApt(toolchain));
  } else {
    const cli = path.join(root, 'node_modules/playwright-core/cli.js');
    await step("installing Playwright's Chromium", () =>
      runCommand(toolchain.node, [cli, 'install', 'chromium'], { env: toolchain.env, timeout: tenMinutes }),
    );
  }
  const installed = findChromium(toolchain);
  if (installed === undefined)
    print('No Chromium was found or could be installed. Set CHROMIUM_PATH to the path of one.');
  return installed;
}

function findChromium({ node, env }) {
  const downloaded = "import('playwright-core').then((p) => console.log(p.chromium.executablePath()))";
  const ofPlaywright = () => execFileSync(node, ['-e', downloaded], { cwd: root, env, encoding: 'utf8' }).trim();
  return [process.env.CHROMIUM_PATH, ...usualPaths].find(exists) ?? [ofPlaywright()].find(exists);
}

function exists(place) {
  return place !== undefined && place !== '' && fs.existsSync(place);
}

/** Older releases of Debian have no package for Chromium without windows: there, the usual one. */
async function installWithApt(toolchain) {
  const env = { ...toolchain.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => runCommand('apt-get', args, { env, quiet: true, timeout: tenMinutes });
  const install = (name) => apt('install', '-y', '--no-install-recommends', name);
  await apt('update');
  const code = await install('chromium-headless-shell');
  return code === 0 || findChromium(toolchain) !== undefined ? 0 : await install('chromium');
}
