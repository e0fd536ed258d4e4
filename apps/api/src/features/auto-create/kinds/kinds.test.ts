import { startDemoModel } from '@docwright/demo-model';
import type { Proposal } from '@docwright/contract';
import { afterAll, expect, it } from 'vitest';
import { startJobs } from '../../../process/start-jobs.ts';
import { documentsOfKinds } from '../../../testing/documents-of-kinds.ts';
import { kindModel } from '../../../testing/kind-model.ts';
import { startTestApp } from '../../../testing/test-app.ts';
import { uploadAll } from '../../../testing/uploads/upload-all.ts';

/** The large form is `KINDS_DOCUMENTS=60`: four kinds, one of them of three issuers, with ten documents of each. */
const documents = documentsOfKinds(Number(process.env['KINDS_DOCUMENTS'] ?? 12));
/** Pages change the spaces of a text, so texts are compared without them. */
const withoutSpaces = (text: string) => text.replaceAll(/\s+/gu, '');
const kindOfText = new Map(documents.map(({ text, kind }) => [withoutSpaces(text), kind]));

const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

async function startWithScript() {
  const llm = kindModel((text) => kindOfText.get(withoutSpaces(text)) ?? 'Document');
  return await startTestApp({ llm });
}

async function startWithDemoModel() {
  const demo = await startDemoModel();
  stops.push(() => demo.close());
  return await startTestApp({ llmEndpoint: { baseUrl: demo.baseUrl, apiKey: undefined, model: demo.model } });
}

it.each([
  ['a scripted model', startWithScript],
  ['the demo model', startWithDemoModel],
])(
  'documents of four kinds in mixed order of several issuers become four proposals, with %s',
  async (_, start) => {
    const app = await start();
    stops.push(() => app.stop());
    await startJobs(app.services);
    const client = app.admin;
    const ended = await uploadAll(client, documents);
    const failed = ended.filter(({ auto_create }) => auto_create?.status !== 'proposed');
    expect(failed.map(({ document_name, auto_create }) => [document_name, auto_create?.error])).toEqual([]);

    const { body } = await client.get<{ proposals: Proposal[]; total_count: number }>('./proposals?limit=100');
    const kindOf = new Map(ended.map(({ id }, at) => [id, documents[at]!.kind]));
    const groups = body.proposals.map(({ documents: own }) => own.map(({ document_id }) => kindOf.get(document_id)));
    // Each proposal has documents of one kind, and each kind has one proposal.
    for (const group of groups) expect(new Set(group).size).toBe(1);
    const kinds = groups.map(([kind]) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(body.total_count).toBe(4);
    const names = body.proposals.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    // Each is named after its kind, and none after an issuer or a file.
    expect(new Set(names)).toEqual(new Set(kinds));
    expect(names).toHaveLength(kinds.length);
    expect(body.proposals.reduce((sum, { document_count }) => sum + document_count, 0)).toBe(documents.length);
    if (process.env['KINDS_DOCUMENTS'] !== undefined)
      console.log(
        names,
        groups.map(({ length }) => length),
      );
  },
  400_000,
);
