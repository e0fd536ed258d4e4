import type { Document, Extraction } from '@docwright/contract';
import { startDemoModel, type DemoModel } from '@docwright/demo-model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const invoice = `INVOICE

Northwind Traders Ltd
12 Harbour Road, London

Invoice number: INV-1042
Invoice date: 2026-03-01
Due date: 2026-03-31

Description        Quantity    Unit price    Amount
Steel bolts        10          4.50          45.00
Copper wire        2           20.00         40.00

Subtotal: 85.00
VAT 20%: 17.00
Total: EUR 102.00
`;

let demo: DemoModel;
let app: TestApp;
beforeAll(async () => {
  // Slow enough for the followed events to show the active run.
  demo = await startDemoModel({ chunkDelayMs: 3 });
  app = await startTestApp({ llmEndpoint: { baseUrl: demo.baseUrl, apiKey: undefined, model: demo.model } });
  await startJobs(app.services);
});
afterAll(async () => {
  await app.stop();
  await demo.close();
});

it('proposes a kind for an invoice with the demo model, streams its progress, and reuses the accepted prompt', async () => {
  const { admin } = app;
  const [id, other] = await Promise.all([upload('march.txt', true), upload('april.txt', false)]);
  const states = await follow(id);
  expect(states.at(-1)).toEqual(['llm_completed', 'proposed']);
  expect(states).toContainEqual(['llm_processing', 'running']);

  const { body: document } = await admin.get<Document>(`./documents/${id}`);
  const calls = (document.auto_create?.agent_log ?? []).flatMap((round) => round.tool_calls.map(({ name }) => name));
  expect(calls).toEqual(['create_schema', 'create_prompt', 'run_extraction']);
  const schema = await admin.get<{ name: string }>(`./schemas/${document.auto_create?.schema_revid}`);
  expect(schema.body.name).toBe('Invoice');
  const { body: list } = await admin.get<{ extractions: Extraction[] }>(`./documents/${id}/extractions`);
  expect(list.extractions).toMatchObject([
    { result: { invoice_number: 'INV-1042', total: 102 }, validation_errors: [] },
  ]);

  const { body: tag } = await admin.post<{ tag_id: string }>('./tags', { name: 'invoices' });
  await admin.post(`./documents/${id}/auto_create/accept`, { tag_id: tag.tag_id });
  await admin.patch(`./documents/${other}`, { tag_ids: [tag.tag_id] });
  const extraction = await admin.post<Extraction>(`./documents/${other}/extractions`, {});
  expect(extraction).toMatchObject({ status: 201, body: { result: { invoice_number: 'INV-1042' } } });
});

/** Uploads by multipart/form-data, like a browser. */
async function upload(name: string, autoCreate: boolean): Promise<string> {
  const form = new FormData();
  form.append('files', new Blob([invoice]), name);
  form.append('auto_create', String(autoCreate));
  const response = await fetch(`${app.address}/v0/orgs/${app.admin.organizationId}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.admin.accessToken}` },
    body: form,
  });
  const { documents }: { documents: Document[] } = JSON.parse(await response.text());
  return documents[0]!.id;
}

/** The states and proposal statuses in the document's events, until the run has ended. */
async function follow(id: string): Promise<[string, string | undefined][]> {
  const states: [string, string | undefined][] = [];
  const stop = new AbortController();
  const response = await fetch(`${app.address}/v0/orgs/${app.admin.organizationId}/documents/${id}/events`, {
    headers: { authorization: `Bearer ${app.admin.accessToken}` },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(60_000)]),
  });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/mu.exec(frame)?.[1];
      if (data === undefined) continue;
      const event: { state: string; auto_create?: { status: string } } = JSON.parse(data);
      states.push([event.state, event.auto_create?.status]);
    }
    const status = states.at(-1)?.[1];
    if (status === 'proposed' || status === 'failed') break;
  }
  stop.abort();
  return states;
}
