import { spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { installDependencies } from './dependencies.mjs';
import { exitWithError, print, seconds } from './terminal.mjs';
import { installToolchain, root } from './toolchain.mjs';

/**
 * `npm run dev`: the API restarts when one of its files changes, the web app updates in place, and both answer at one
 * address (HOST and PORT as for `npm start`). Vite serves the web app and forwards the API's requests.
 */

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3000);
const stopWithinMs = 10_000;

const toolchain = await installToolchain();
await installDependencies(toolchain);
if (!(await isFree(port)))
  exitWithError(`PORT ${port} on ${host} is in use: stop what listens there, or set PORT to another one.`);
const apiPort = await freePort();

const server = path.join(root, 'apps/api/src/server.ts');
// A restart of the API must not clear the output of the web server from the screen.
const watch = ['--watch', '--watch-preserve-output', '--disable-warning=ExperimentalWarning', server];
const api = start(watch, { cwd: root, env: { ...toolchain.env, HOST: '127.0.0.1', PORT: String(apiPort) } });
const vite = path.join(root, 'apps/web/node_modules/vite/bin/vite.js');
const flags = ['--host', host, '--port', String(port), '--strictPort', '--clearScreen', 'false', '--logLevel', 'warn'];
const web = start([vite, ...flags], {
  cwd: path.join(root, 'apps/web'),
  env: { ...toolchain.env, DOCWRIGHT_API: `http://127.0.0.1:${apiPort}` },
});
const children = [api, web];
for (const child of children) child.once('exit', (code) => void stop(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));

function start(args, options) {
  const child = spawn(toolchain.node, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => print(readable(line)));
  return child;
}

/** The line of the API with the common address in place of the API's own. */
function readable(line) {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const shown = line.replace(`http://127.0.0.1:${apiPort}`, `http://${name}:${port}`);
  return shown === line ? line : `${shown}   (${seconds()} after the start)`;
}

let isStopping = false;

/** Ends the remaining processes. The embedded database closes with the API. */
async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  const left = children.filter((child) => child.exitCode === null && child.signalCode === null);
  const ended = Promise.all(left.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  for (const child of left) child.kill('SIGTERM');
  setTimeout(() => left.forEach((child) => child.kill('SIGKILL')), stopWithinMs).unref();
  await ended;
  process.exit(code);
}

async function isFree(wanted) {
  return (await listenOnce(wanted, host)) !== undefined;
}

async function freePort() {
  return await listenOnce(0, '127.0.0.1');
}

/** Listens on a port for a moment and returns the port; undefined if it is in use. */
function listenOnce(wanted, at) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(wanted, at, () => {
      const { port: listening } = probe.address();
      probe.close(() => resolve(listening));
    });
  });
}
