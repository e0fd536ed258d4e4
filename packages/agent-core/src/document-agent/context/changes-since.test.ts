import { expect, it } from 'vitest';
import type { ResponseFormat } from '@docwright/contract';
import { newCallId } from '../../tool/call-id.ts';
import { createInMemoryDocumentServices } from '../../testing/in-memory-document-services.ts';
import { changesSince } from './changes-since.ts';
import { extractionForState } from './extraction-context.ts';

const response_format: ResponseFormat = {
  type: 'json_schema',
  json_schema: { name: 'i', strict: true, schema: { type: 'object', properties: { total: { type: 'number' } } } },
};
const origin = () => ({ call_id: newCallId() });

it('names values, prompt and schema that others have changed, and is empty otherwise', async () => {
  const services = createInMemoryDocumentServices({ pages: ['Total 5'] });
  const { document, schemas, prompts, extractions, store } = services;
  const schema = await schemas.create({ name: 'Invoice', response_format }, origin());
  const prompt = await prompts.create({ name: 'Invoice', content: 'Read.', schema_id: schema.schema_id }, origin());
  store.extracted = { total: 5 };
  const extraction = await extractions.run(document.id, prompt.prompt_revid, origin(), new AbortController().signal);
  const state = {
    schema_revid: schema.schema_revid,
    prompt_revid: prompt.prompt_revid,
    extraction: extractionForState(extraction),
  };
  expect(await changesSince(services, state)).toEqual([]);

  const change = { path: 'total', value: 6, base_version: extraction.version };
  await extractions.updateField(document.id, prompt.prompt_revid, change, origin());
  await prompts.update(prompt.prompt_id, { content: 'Read well.' }, origin());
  const [text = ''] = await changesSince(services, state);
  expect(text).toContain('Changed by others since:');
  expect(text).toContain('total: 5 is now 6');
  expect(text).toContain('the prompt "Invoice" is at version 2');
  expect(text).not.toContain('the schema');

  await prompts.delete(prompt.prompt_id, origin());
  expect((await changesSince(services, state))[0]).toContain('the prompt was deleted.');
});
