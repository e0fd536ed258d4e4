import { maxCounted } from '@docwright/contract';
import { Model } from 'mongoose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';

interface OpenApi {
  paths: Record<string, { get?: { parameters?: { name: string; in: string; required?: boolean }[] } }>;
}

let app: TestApp;
let lists: string[];
let ids: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  const { paths } = (await app.app.inject({ url: '/docs/json' })).json<OpenApi>();
  const { admin } = app;
  const named = { name: 'Invoices', response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } };
  const schema = await admin.request<{ schema_id: string }>('POST', './schemas', { payload: named });
  ids = { org_id: admin.organizationId, schema_id: schema.body.schema_id };
  lists = Object.entries(paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'skip') === true && !path.endsWith('/events') ? [path] : [],
  );
});
afterAll(async () => app.stop());

test('no list counts further than it says, and says that there are more', async () => {
  const asked = vi.fn<(limit: number | undefined) => void>();
  vi.spyOn(Model, 'countDocuments').mockImplementation(((_filter: object, options?: { limit?: number }) => {
    asked(options?.limit);
    return Promise.resolve(options?.limit ?? 1_000_000);
  }) as never);
  const seen: string[] = [];
  const wrong: object[] = [];
  for (const path of lists) {
    asked.mockClear();
    // What no list has is behind its end, so that it has to count.
    const url = `${path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => ids[name] ?? '0'.repeat(24))}?skip=1&limit=1`;
    const { status, body } = await app.admin.request<{ total_count?: number; total_is_minimum?: true }>('GET', url);
    if (asked.mock.calls.length === 0) continue;
    if (status === 200) seen.push(path);
    const isCounted = asked.mock.calls.every(([limit]) => limit !== undefined && limit <= maxCounted + 1);
    const isSaid = status !== 200 || (body.total_count === maxCounted && body.total_is_minimum === true);
    if (!isCounted || !isSaid) wrong.push({ path, status, body });
  }
  vi.restoreAllMocks();
  expect(wrong).toEqual([]);
  expect(seen.length, seen.join('\n')).toBeGreaterThan(15);
});
