import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveKey, loadAppSecret } from './app-secret.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docwright-secret-'));
});
afterAll(async () => {
  await rm(dataDir, { recursive: true });
});

test('the secret is created once, even by two concurrent starts, and only its owner can read it', async () => {
  const secrets = await Promise.all([loadAppSecret(undefined, dataDir), loadAppSecret(undefined, dataDir)]);
  expect(secrets[0]).toBe(secrets[1]);
  expect(secrets[0]?.length).toBeGreaterThanOrEqual(43);
  expect(await loadAppSecret(undefined, dataDir)).toBe(secrets[0]);
  const file = join(dataDir, 'app-secret');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await loadAppSecret('set by the operator', dataDir)).toBe('set by the operator');
  expect(await readFile(file, 'utf8')).toBe(secrets[0]);
  expect(await readdir(dataDir)).toEqual(['app-secret']);
});

test('each purpose has its own key', () => {
  const keys = [deriveKey('secret', 'jwt'), deriveKey('secret', 'token-hash'), deriveKey('other', 'jwt')];
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3);
  expect(deriveKey('secret', 'jwt')).toEqual(keys[0]);
});
