import type { uploadAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
  await startJobs(harness.services);
});
afterAll(async () => await harness.stop());

it('streams the state of a document until it is read, and tells when somebody renames it', async () => {
  const base = harness.address;
  const { body } = await harness.admin.post<z.infer<typeof uploadAnswer>>('./documents', {
    documents: [{ name: 'live.txt', content: 'bGl2ZQ==' }],
  });
  const id = body.documents[0]!.id;
  const stop = new AbortController();
  const response = await fetch(`${base}/v0/orgs/${harness.admin.organizationId}/documents/${id}/events`, {
    headers: { authorization: `Bearer ${harness.admin.accessToken}` },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let seen = '';
  for await (const chunk of response.body ?? []) {
    seen += Buffer.from(chunk).toString();
    if (!seen.includes('ocr_completed')) continue;
    if (seen.includes('"document_changes":1')) break;
    await harness.admin.patch(`./documents/${id}`, { document_name: 'other.txt' });
  }
  stop.abort();
  expect(seen).toMatch(/^id: 1\nevent: state\ndata: \{"type":"state"/m);
});

it('tells who follows a page of the list that it would be answered differently, and only then', async () => {
  const client = await harness.addOrganization();
  const stop = new AbortController();
  const query = 'name_search=wanted&limit=5';
  const response = await fetch(`${harness.address}/v0/orgs/${client.organizationId}/documents/events?${query}`, {
    headers: { authorization: `Bearer ${client.accessToken}` },
    signal: stop.signal,
  });
  let seen = '';
  for await (const chunk of response.body ?? []) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes('"total_count":1')) break;
    // What the query does not find is no change of it.
    await client.post('./documents', { documents: [{ name: 'other.txt', content: 'YQ==' }] });
    await client.post('./documents', { documents: [{ name: 'wanted.txt', content: 'YQ==' }] });
  }
  stop.abort();
  const counts = [...seen.matchAll(/"total_count":(\d)/g)].map(([, count]) => Number(count));
  expect(counts).toEqual([0, 1]);
});
