import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** Collections without a model. */
const others = [
  'files.files',
  'files.chunks',
  'pending_uploads',
  'jobs',
  'agenda_logs',
  'large_metadata',
  'migrations',
  'processes',
  'unattended_model_calls',
];

it('the page on growth has each collection once, and no other', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/operators/growth.md'), 'utf8');
  const rows = page.split('\n').flatMap((line) => /^\| (`[^|]+) \|/u.exec(line)?.[1] ?? []);
  const described = rows.flatMap((names) => [...names.matchAll(/`([^`]+)`/gu)].map(([, name]) => name!));
  const models = Object.values(app.connection.models).map(({ collection }) => collection.name);
  const expected = new Set([...models, ...others]);
  expect(described.toSorted()).toEqual([...expected].toSorted());
});
