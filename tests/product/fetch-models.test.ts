import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

// Plain JavaScript without types, because it runs on any Node.js.
const place = pathToFileURL(path.resolve(import.meta.dirname, '../../infra/bootstrap/fetch-models.mjs')).href;
const { wantedModels, networkOf } = (await import(place)) as {
  wantedModels: (env: Record<string, string>, cwd?: string) => string | undefined;
  networkOf: (env: Record<string, string>) => Record<string, string>;
};
const folder = mkdtempSync(path.join(tmpdir(), 'docwright-fetch-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('wants the models where scans are read by auto, and nowhere else', () => {
  expect(wantedModels({}, folder)).toBe(path.join(folder, '.data/ocr-models'));
  expect(wantedModels({ DATA_DIR: 'data', ROLE: 'worker' }, folder)).toBe(path.join(folder, 'data/ocr-models'));
  expect(wantedModels({ OCR_MODELS: '/srv/models' }, folder)).toBe(path.resolve('/srv/models'));
  for (const env of [
    { OCR_DOWNLOAD: 'false' },
    { ROLE: 'api' },
    { OCR_ENGINE: 'tesseract' },
    { OCR_ENGINE: 'ppocr' },
  ]) {
    expect(wantedModels(env, folder)).toBeUndefined();
  }
});

it('wants no models that are there', () => {
  const models = path.join(folder, 'there');
  mkdirSync(path.join(models, 'node_modules/onnxruntime-node'), { recursive: true });
  for (const name of ['det.onnx', 'rec.onnx']) writeFileSync(path.join(models, name), '');
  expect(wantedModels({ OCR_MODELS: models }, folder)).toBe(models);
  writeFileSync(path.join(models, 'node_modules/onnxruntime-node/package.json'), '{}');
  expect(wantedModels({ OCR_MODELS: models }, folder)).toBeUndefined();
});

it('says without a network that Tesseract reads alone, and leaves the folder to the next start', async () => {
  const models = path.join(folder, 'offline');
  const script = `import { fetchModels } from '${place}'; fetchModels({ node: process.execPath, env: {} });`;
  const nowhere = 'http://127.0.0.1:9';
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], OCR_MODELS: models, PIP_INDEX_URL: nowhere, npm_config_registry: nowhere },
  });
  expect(stdout).toMatch(
    /in the background[\s\S]*Tesseract reads scans alone.*No answer from http:\/\/127\.0\.0\.1:9\//u,
  );
  expect(existsSync(path.join(models, 'fetching'))).toBe(false);
});

it("fetches through the proxy and with the certificates of npm's settings", () => {
  const npm = { npm_config_cafile: '/etc/own.pem', npm_config_https_proxy: 'http://proxy:3128' };
  const network = { NODE_EXTRA_CA_CERTS: '/etc/own.pem', HTTPS_PROXY: 'http://proxy:3128', NODE_USE_ENV_PROXY: '1' };
  expect(networkOf(npm)).toEqual(network);
  expect(networkOf({ ...npm, NODE_EXTRA_CA_CERTS: '/etc/node.pem', HTTPS_PROXY: 'http://other' })).toEqual({
    NODE_USE_ENV_PROXY: '1',
  });
});
