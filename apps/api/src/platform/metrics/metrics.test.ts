import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { scriptedLlm, type ScriptedLlm } from '@docwright/agent-core/testing';
import type { Document, Run } from '@docwright/contract';
import { DomainError } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

// A busy test machine is slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let model: ScriptedLlm;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ llm: { stream: (request) => model.stream(request) } });
});
afterAll(() => app.stop());

async function scrape(): Promise<string> {
  const response = await fetch(`${app.address}/metrics`);
  expect(response.status).toBe(200);
  return await response.text();
}

/** The sum of a metric's values whose labels contain the given text. */
function valueOf(text: string, name: string, labels = ''): number {
  const lines = text
    .split('\n')
    .filter((line) => line.replace(/\{.*/u, '').split(' ')[0] === name && line.includes(labels));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

it('reports pending work before a worker starts, and outcomes afterwards', async () => {
  const { admin } = app;
  const content = Buffer.from('Total: 5').toString('base64');
  const { body } = await admin.post<{ documents: Document[] }>('./documents', {
    documents: [{ name: 'a.txt', content }],
  });
  const { id } = body.documents[0]!;
  const before = await scrape();
  expect(valueOf(before, 'docwright_queue_depth', 'queue="texts",state="waiting"')).toBe(1);
  expect(valueOf(before, 'docwright_queue_oldest_seconds', 'queue="texts"')).toBeGreaterThan(0);
  expect(valueOf(before, 'docwright_jobs_running')).toBe(0);

  await startJobs(app.services);
  await expect
    .poll(async () => (await admin.get<Document>(`./documents/${id}`)).body.state, { timeout: 10_000 })
    .toBe('ocr_completed');
  model = scriptedLlm([
    { text: 'Fine.' },
    { error: new DomainError('model_failed', 'model_unavailable', 'It is away.') },
  ]);
  for (const expected of [1, 0]) {
    const { body: run } = await admin.post<Run>('./runs', { document_ids: [id], message: 'Look.' });
    await expect
      .poll(async () => (await admin.get<Run>(`./runs/${run.id}`)).body, { timeout: 10_000 })
      .toMatchObject({ state: 'completed', succeeded: expected });
  }
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${admin.accessToken}` };
  const events = `${app.address}/v0/orgs/${admin.organizationId}/documents/${id}/events`;
  const reading = await fetch(events, { headers, signal: stop.signal });
  const text = await scrape();
  stop.abort();
  await reading.text().catch(() => undefined);

  expect(valueOf(text, 'docwright_sse_readers', 'documents/:document_id/events')).toBe(1);
  expect(valueOf(text, 'docwright_model_call_duration_seconds_count', 'outcome="answered"')).toBe(1);
  expect(valueOf(text, 'docwright_model_call_duration_seconds_count', 'outcome="failed"')).toBe(1);
  expect(valueOf(text, 'docwright_model_errors_total', 'code="model_unavailable"')).toBe(1);
  expect(valueOf(text, 'docwright_model_tokens_total')).toBeGreaterThan(0);
  expect(valueOf(text, 'docwright_document_run_duration_seconds_count', 'kind="agent",outcome="succeeded"')).toBe(1);
  expect(valueOf(text, 'docwright_document_run_duration_seconds_count', 'kind="agent",outcome="failed"')).toBe(1);
  expect(valueOf(text, 'docwright_runs_total', 'action="chat",state="completed"')).toBe(2);
  expect(valueOf(text, 'docwright_database_command_duration_seconds_count', 'command="find"')).toBeGreaterThan(0);
  expect(valueOf(text, 'http_request_duration_seconds_count', 'route="/v0/orgs/:org_id/runs"')).toBe(2);
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
});

it('has no id, address or name of a user in a label', async () => {
  const labels = (await scrape()).split('\n').filter((line) => !line.startsWith('#'));
  const { admin } = app;
  for (const line of labels) {
    expect(line).not.toMatch(/[0-9a-f]{24}|@/iu);
    for (const secret of [admin.userId, admin.organizationId, 'a.txt']) expect(line).not.toContain(secret);
  }
});

const dashboards = resolve(import.meta.dirname, '../../../../../infra/dashboards');

it.each(readdirSync(dashboards))('the dashboard %s uses existing metrics and labels', async (file) => {
  const known = new Map<string, string>();
  const text = await scrape();
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)) {
    known.set(name!, type!);
    if (type === 'histogram') for (const suffix of ['_bucket', '_count', '_sum']) known.set(`${name}${suffix}`, 'part');
  }
  const expressions = [
    ...readFileSync(resolve(dashboards, file), 'utf8').matchAll(/"expr": "((?:[^"\\]|\\.)*)"/gu),
  ].map(([, expression]) => expression!);
  expect(expressions.length).toBeGreaterThan(10);
  for (const expression of expressions) {
    const names = expression.match(/\b(?:docwright|http|nodejs|process)_[a-z0-9_]+\b/gu) ?? [];
    expect(names, expression).not.toEqual([]);
    for (const name of names) expect([...known.keys()], expression).toContain(name);
    const labels = [...expression.matchAll(/by \(([^)]*)\)/gu)].flatMap(([, list]) =>
      list!.split(',').map((name) => name.trim()),
    );
    const lines = text
      .split('\n')
      .filter((line) => names.some((name) => line.startsWith(`${name}{`) || line.startsWith(`${name} `)));
    for (const label of labels.filter((name) => name !== 'instance' && lines.length > 0)) {
      expect(
        lines.some((line) => line.includes(`${label}="`)),
        `${label} in ${expression}`,
      ).toBe(true);
    }
  }
});
