import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isDiskFull, writeServerInfo } from './data-directory.ts';

it.each([
  [{ code: 'ENOSPC' }, true],
  [{ code: 'EDQUOT' }, true],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, true],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 26 }, false],
  [new Error('other'), false],
])('tells a full disk from a damaged file: %o', (error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull);
});

it('leaves no partial file when the server cannot be published', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'docwright-info-'));
  try {
    mkdirSync(join(dataDir, 'database-server.json'));
    expect(() => writeServerInfo(dataDir, { pid: 1, uri: 'mongodb://x' })).toThrow();
    expect(readdirSync(dataDir)).toEqual(['database-server.json']);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
