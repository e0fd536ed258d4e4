import { describe, expect, it } from 'vitest';
import type { PromptContext } from '../loop/agent-profile.ts';
import { createInMemoryDocumentServices } from '../testing/in-memory-document-services.ts';
import type { DocumentAgentServices } from './context/services.ts';
import { createDocumentAgentProfile } from './profile.ts';

const profile = createDocumentAgentProfile({ maxRounds: 5, timeoutMs: 5000 });
const now = () => new Date('2026-11-22T23:30:00.000Z');

async function tailOf(
  services: DocumentAgentServices,
  asked: Pick<PromptContext<unknown>, 'timeZone' | 'language'> = {},
): Promise<string> {
  const workingState = { schema_revid: null, prompt_revid: null, extraction: null };
  return await profile.buildTail!({ services, workingState, model: 'm', mentions: [], history: [], ...asked });
}

const responseFormat = (...fields: string[]) => ({
  type: 'json_schema' as const,
  json_schema: {
    name: 'f',
    strict: true as const,
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      required: fields,
      additionalProperties: false,
    },
  },
});

describe('date and language of a request', () => {
  it('are UTC and unnamed where nobody said them', async () => {
    const tail = await tailOf({ ...createInMemoryDocumentServices(), now });
    expect(tail).toContain('Today is Sunday, 2026-11-22 (UTC).');
    expect(tail).not.toContain('Language of the answer');
  });

  it('are the organization’s where the request names none', async () => {
    const services = {
      ...createInMemoryDocumentServices(),
      now,
      locale: async () => ({ timeZone: 'Europe/Berlin', language: 'de' }),
    };
    const tail = await tailOf(services);
    expect(tail).toContain('Today is Monday, 2026-11-23 (Europe/Berlin).');
    expect(tail).toContain('Language of the answer, unless the person writes in another: German (de).');
    const asked = await tailOf(services, { timeZone: 'America/New_York', language: 'fr-CH' });
    expect(asked).toContain('Today is Sunday, 2026-11-22 (America/New_York).');
    expect(asked).toContain('Swiss French (fr-CH)');
  });
});

describe('what the organization has', () => {
  it('names six schemas with their fields in short', async () => {
    const services = createInMemoryDocumentServices();
    for (let at = 1; at <= 7; at += 1) {
      const fields = Array.from({ length: 10 }, (_, field) => `s${at}_f${field}`);
      const body = { name: `Schema ${at}`, response_format: responseFormat(...fields) };
      await services.schemas.create(body, { call_id: `c${at}` });
    }
    const tail = await tailOf(services);
    expect(tail.match(/"Schema \d" \(schema_id [\da-f]{24}, schema_revid [\da-f]{24}, fields: /gu)).toHaveLength(6);
    expect(tail).toContain('fields: s1_f0, s1_f1, s1_f2, s1_f3, s1_f4, s1_f5, s1_f6, s1_f7 …)');
    expect(tail).toContain('and 1 more, which list_schemas names');
  });

  it('names the schema of a prompt that fits by tag, with its fields', async () => {
    const services = createInMemoryDocumentServices();
    const origin = (call_id: string) => ({ call_id });
    const format = responseFormat('total', 'issuer');
    const schema = await services.schemas.create({ name: 'Receipt', response_format: format }, origin('a'));
    const { tag_id } = await services.tags.create({ name: 'receipt' }, origin('b'));
    const prompt = { name: 'Read receipts', content: 'Read it.', schema_id: schema.schema_id, tag_ids: [tag_id] };
    await services.prompts.create(prompt, origin('c'));
    await services.documents.update(services.document.id, { tag_ids: [tag_id] }, origin('d'));
    const tail = await tailOf(services);
    const { schema_id, schema_revid } = schema;
    expect(tail).toContain('Prompts that fit it by tag: "Read receipts" (prompt_revid ');
    expect(tail).toContain(
      `, with the schema "Receipt" (schema_id ${schema_id}, schema_revid ${schema_revid}, fields: total, issuer))`,
    );
  });
});
