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

it('streams the state of a document until it is read, and an event when it is renamed', async () => {
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
  let received = '';
  for await (const chunk of response.body ?? []) {
    received += Buffer.from(chunk).toString();
    if (!received.includes('ocr_completed')) continue;
    if (received.includes('"document_changes":1')) break;
    await harness.admin.patch(`./documents/${id}`, { document_name: 'other.txt' });
  }
  stop.abort();
  expect(received).toMatch(/^id: 1\nevent: state\ndata: \{"type":"state"/m);
});

it('streams an event when the answer to a followed query of the list changes, and only then', async () => {
  const client = await harness.addOrganization();
  const stop = new AbortController();
  const query = 'name_search=wanted&limit=5';
  const response = await fetch(`${harness.address}/v0/orgs/${client.organizationId}/documents/events?${query}`, {
    headers: { authorization: `Bearer ${client.accessToken}` },
    signal: stop.signal,
  });
  let received = '';
  for await (const chunk of response.body ?? []) {
    received += Buffer.from(chunk).toString();
    if (received.includes('"total_count":1')) break;
    // A document that the query does not match causes no event.
    await client.post('./documents', { documents: [{ name: 'other.txt', content: 'YQ==' }] });
    await client.post('./documents', { documents: [{ name: 'wanted.txt', content: 'YQ==' }] });
  }
  stop.abort();
  const counts = [...received.matchAll(/"total_count":(\d)/g)].map(([, count]) => Number(count));
  expect(counts).toEqual([0, 1]);
});
