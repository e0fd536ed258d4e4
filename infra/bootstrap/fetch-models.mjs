import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { print } from './terminal.mjs';
import { root } from './toolchain.mjs';

/** A lock of a process that was killed is older than any attempt takes. */
const hourMs = 60 * 60 * 1000;

/** The folder that the models of PP-OCR are fetched into; undefined if they are there, not wanted or not used by this process. */
export function wantedModels(env, cwd = root) {
  if (env.OCR_DOWNLOAD === 'false' || env.ROLE === 'api' || (env.OCR_ENGINE || 'auto') !== 'auto') return undefined;
  const folder = path.resolve(cwd, env.OCR_MODELS || path.join(env.DATA_DIR || '.data', 'ocr-models'));
  const files = ['det.onnx', 'rec.onnx', 'node_modules/onnxruntime-node/package.json'];
  return files.every((name) => fs.existsSync(path.join(folder, name))) ? undefined : folder;
}

/** npm's settings for the network, as Node.js knows them. npm hands its settings on to what it starts; fetch() does not read them. */
export function networkOf(env) {
  const ofNpm = {
    NODE_EXTRA_CA_CERTS: env.npm_config_cafile,
    HTTP_PROXY: env.http_proxy || env.npm_config_proxy,
    HTTPS_PROXY: env.https_proxy || env.npm_config_https_proxy || env.npm_config_proxy,
    NO_PROXY: env.no_proxy || env.npm_config_noproxy,
    NODE_USE_ENV_PROXY: '1',
  };
  return Object.fromEntries(Object.entries(ofNpm).filter(([name, value]) => value && !env[name]));
}

/**
 * Fetches the models in a process of its own while the server runs, and prints its progress. Until then, and without a network,
 * Tesseract reads scans alone; the next start tries again.
 */
export function fetchModels({ node, env }) {
  const folder = wantedModels(process.env);
  if (folder === undefined) return;
  const unlock = lock(folder);
  if (unlock === undefined) return;
  print(
    '· fetching better recognition of scans in the background (PP-OCR: 141 MB to load, then 80 MB on disk; OCR_DOWNLOAD=false keeps it away)',
  );
  const command = path.join(root, 'packages/sdk/bin/docwright.mjs');
  const child = spawn(node, [command, 'ocr-models', 'install', '--into', folder], {
    cwd: root,
    env: { ...process.env, ...networkOf(process.env), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let last = '';
  readline.createInterface({ input: child.stderr }).on('line', (text) => {
    last = text.trim() || last;
    if (/ of \d{2,}\.\d MB$/u.test(last)) print(`  recognition: ${last}`);
  });
  child.on('error', (error) => (last = error.message));
  child.on('close', (code) => {
    unlock();
    if (code === 0) print('  recognition: PP-OCR reads the poor words of scans from now on');
    else print(`  recognition: Tesseract reads scans alone, because PP-OCR could not be fetched. ${last}`);
  });
  process.on('exit', () => {
    unlock();
    child.kill();
  });
}

/** Takes the folder for this process. Undefined if another process fetches into it; otherwise a function that gives it back. */
function lock(folder) {
  const file = path.join(folder, 'fetching');
  fs.mkdirSync(folder, { recursive: true });
  try {
    if (Date.now() - fs.statSync(file).mtimeMs > hourMs) fs.rmSync(file);
  } catch {
    // There is no lock.
  }
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    return undefined;
  }
  return () => fs.rmSync(file, { force: true });
}
