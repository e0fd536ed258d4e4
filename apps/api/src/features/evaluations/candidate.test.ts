import type { EvaluationCandidate, Prompt, ResponseFormat, Schema } from '@docwright/contract';
import { expect, it } from 'vitest';
import { changeOf, sealOf, type ChangeDependencies } from './candidate.ts';

const format = (type: string): ResponseFormat => ({
  type: 'json_schema',
  json_schema: { name: 'invoice', strict: true, schema: { type: 'object', properties: { total: { type } } } },
});
const prompt = { prompt_id: 'p', prompt_revid: 'r1', content: 'Read.', schema_revid: 's1' } as Prompt;
const truth = [
  { document_id: 'd1', prompt_revid: 'r1', version: 1 },
  { document_id: 'd2', prompt_revid: 'r1', version: 3 },
];
const args = { prompt_id: 'p', content: 'Read well.', name: 'Invoices' };

interface StandsOn {
  of?: Prompt;
  defaultModel?: string;
  schema?: ResponseFormat;
  results?: typeof truth;
  call?: Record<string, unknown>;
  candidate?: EvaluationCandidate;
}

/** The seal of the change, with parts of what it stands on replaced. */
async function seal({
  of = prompt,
  defaultModel = 'small',
  schema = format('number'),
  results = truth,
  call = args,
  candidate = { content: 'Read well.' },
}: StandsOn = {}): Promise<string> {
  const dependencies = {
    models: { resolveModel: async (requested?: string) => requested ?? defaultModel },
    schemas: {
      get: async (schema_revid: string) => ({ schema_revid, response_format: schema }) as Schema,
      checkFormat: () => ({ valid: true, errors: [] }),
    },
  } as unknown as ChangeDependencies;
  return sealOf(await changeOf(of, candidate, dependencies), results, call);
}

it.each<[string, StandsOn]>([
  ['an argument', { call: { ...args, name: 'Bills' } }],
  ['an argument more', { call: { ...args, tag_ids: [] } }],
  ['the revision that it stands on', { of: { ...prompt, prompt_revid: 'r2' } }],
  ['the model of the organization', { defaultModel: 'large' }],
  ['the model of the prompt', { of: { ...prompt, model: 'large' } }],
  ['the schema', { schema: format('string') }],
  ['the number of examples', { of: { ...prompt, examples: { count: 2 } } }],
  ['a verified result that came', { results: [...truth, { document_id: 'd3', prompt_revid: 'r1', version: 1 }] }],
  ['one that went', { results: truth.slice(1) }],
  ['the version of one', { results: [truth[0]!, { ...truth[1]!, version: 4 }] }],
  ['the revision of one', { results: [truth[0]!, { ...truth[1]!, prompt_revid: 'r2' }] }],
  ['the document of one', { results: [truth[0]!, { ...truth[1]!, document_id: 'd9' }] }],
  ['the changed content', { candidate: { content: 'Read better.' } }],
  ['the changed schema', { candidate: { content: 'Read well.', response_format: format('integer') } }],
])('a seal does not hold when something moves: %s', async (_, moved) => {
  expect(await seal(moved)).not.toBe(await seal());
});

it('a seal holds for the same things in another order', async () => {
  const { prompt_id, content, name } = args;
  expect(await seal({ results: truth.toReversed(), call: { name, content, prompt_id } })).toBe(await seal());
});
