import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.mjs';
import { print, step } from './terminal.mjs';
import { root } from './toolchain.mjs';

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const tenMinutes = 600_000;

/** The path of a Chromium for the browser tests. Installs one if there is none: with apt as root on Debian, else Playwright's. */
export async function findOrInstallChromium(toolchain) {
  const found = findChromium(toolchain);
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && fs.existsSync('/etc/debian_version')) {
    await step('installing Chromium with apt', () => installWithApt(toolchain.env));
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
  const named = process.env.CHROMIUM_PATH;
  const downloaded = "import('playwright-core').then((p) => console.log(p.chromium.executablePath()))";
  const ofPlaywright = execFileSync(node, ['-e', downloaded], { cwd: root, env, encoding: 'utf8' }).trim();
  return [named, ...usualPaths, ofPlaywright].find(
    (place) => place !== undefined && place !== '' && fs.existsSync(place),
  );
}

async function installWithApt(env) {
  const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, quiet: true, timeout: tenMinutes };
  await runCommand('apt-get', ['update'], quiet);
  await runCommand('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet);
}
