/** The main story through openapi-fetch. All types come from the OpenAPI document, without a cast. */
import fs from 'node:fs';
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const { DOCWRIGHT_URL = '', DOCWRIGHT_TOKEN = '', INVOICE = '' } = process.env;
const client = createClient<paths>({
  baseUrl: DOCWRIGHT_URL,
  headers: { Authorization: `Bearer ${DOCWRIGHT_TOKEN}` },
});

function given<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const me = given(await client.GET('/v0/me'));
const org_id = me.organizations[0]?.id ?? '';
const content = fs.readFileSync(INVOICE).toString('base64');
const uploaded = given(
  await client.POST('/v0/orgs/{org_id}/documents', {
    params: { path: { org_id } },
    body: { documents: [{ name: 'typescript.pdf', content }] },
  }),
);
const path = { org_id, document_id: uploaded.documents[0]?.id ?? '' };

let state: string = 'uploaded';
for (let waited = 0; state !== 'ocr_completed'; waited += 1) {
  if (waited > 300) throw new Error(`The document stays ${state}.`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  state = given(await client.GET('/v0/orgs/{org_id}/documents/{document_id}', { params: { path } })).state;
}
const text = given(await client.GET('/v0/orgs/{org_id}/documents/{document_id}/text', { params: { path } }));
if (!text.pages.some((page) => page.text.includes('INV-100'))) throw new Error('The text has no INV-100.');

let turn = given(
  await client.POST('/v0/orgs/{org_id}/documents/{document_id}/chat', {
    params: { path },
    body: { messages: [{ role: 'user', content: 'create a schema for this invoice and extract it' }] },
  }),
);
let approved = 0;
while (turn.status === 'awaiting_approval') {
  approved += turn.tool_calls.length;
  turn = given(
    await client.POST('/v0/orgs/{org_id}/documents/{document_id}/chat/approve', {
      params: { path },
      body: { turn_id: turn.turn_id, approvals: turn.tool_calls.map(({ id }) => ({ call_id: id, approved: true })) },
    }),
  );
}
const found = given(await client.GET('/v0/orgs/{org_id}/documents/{document_id}/extractions', { params: { path } }));
const result = JSON.stringify(found.extractions[0]?.result);
if (!result?.includes('INV-100')) throw new Error(`The turn ended ${turn.status} without INV-100: ${result}`);
console.log(`${approved} approved, INV-100 extracted`);
