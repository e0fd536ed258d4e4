import { createReadStream, existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { download } from './download.ts';

/** A package of the npm registry, pinned by version and checksum. */
interface RuntimePackage {
  package: string;
  version: string;
  bytes: number;
  sha256: string;
}

/** The library that runs the models, with the package that it needs. */
export interface Runtime {
  licence: string;
  /** The main package first. */
  packages: readonly [RuntimePackage, ...RuntimePackage[]];
}

/** Neither package has an install script that is needed: it only fetches libraries for graphics cards. */
export const onnxRuntime: Runtime = {
  licence: 'MIT',
  packages: [
    {
      package: 'onnxruntime-node',
      version: '1.30.0',
      bytes: 113_507_888,
      sha256: '6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75',
    },
    {
      package: 'onnxruntime-common',
      version: '1.30.0',
      bytes: 66_795,
      sha256: '7906c439e0d3e0f4048caa23b64cdfadc0f455c377f579ce1ab2a4b778f07d5f',
    },
  ],
};

const npmRegistry = 'https://registry.npmjs.org';

interface RuntimeOptions {
  folder: string;
  /** A folder with `node_modules`, or undefined to download. */
  from: string | undefined;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  note: (line: string) => void;
  progress: (name: string, done: number, total: number) => void;
  runtime: Runtime;
}

/** The manifest of a runtime in a folder, which is written last. */
export function runtimeIn(folder: string, { packages }: Runtime): string {
  return path.join(folder, 'node_modules', packages[0].package, 'package.json');
}

/** Puts the runtime for this platform into a folder: the package has libraries of five platforms, and four are left out. */
export async function installRuntime(options: RuntimeOptions): Promise<void> {
  const { folder, from, runtime } = options;
  if (from !== undefined && existsSync(runtimeIn(from, runtime))) {
    for (const { package: name } of runtime.packages.toReversed()) {
      const place = path.join('node_modules', name);
      await cp(path.join(from, place), path.join(folder, place), { recursive: true, dereference: true });
    }
    return;
  }
  // The main package last, so that an interrupted attempt does not look complete.
  for (const one of runtime.packages.toReversed()) await installPackage(one, options);
}

async function installPackage(
  { package: name, version, bytes, sha256 }: RuntimePackage,
  { folder, env, signal, note, progress }: RuntimeOptions,
): Promise<void> {
  const registry = (env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY'] || npmRegistry).replace(/\/+$/u, '');
  const archive = path.join(folder, `${name}-${version}.tgz`);
  const url = `${registry}/${name}/-/${name}-${version}.tgz`;
  note(`${url}, ${(bytes / 1e6).toFixed(1)} MB`);
  await download({ url, to: archive, bytes, sha256, signal, progress: (done) => progress(name, done, bytes) });
  const place = path.join(folder, 'node_modules', name);
  const draft = `${place}.new`;
  await rm(draft, { recursive: true, force: true });
  const ownLibraries = `/${process.platform}/${process.arch}/`;
  const isLibrary = (file: string): boolean => file.startsWith('bin/');
  let [own, all] = [0, 0];
  const isWanted = (file: string): boolean => {
    if (!isLibrary(file)) return !file.endsWith('.map');
    const isOwn = file.includes(ownLibraries);
    all += 1;
    own += Number(isOwn);
    return isOwn;
  };
  await pipeline(
    createReadStream(archive),
    createGunzip(),
    unpackTar(draft, { strip: 1, filter: (header) => isWanted(header.name) }),
  );
  await rm(archive);
  if (all > 0 && own === 0) {
    await rm(draft, { recursive: true });
    throw new Error(`${name} has no library for ${process.platform} on ${process.arch}. Tesseract reads scans here.`);
  }
  await rm(place, { recursive: true, force: true });
  await rename(draft, place);
}
