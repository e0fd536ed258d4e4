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

interface SealInputs {
  of?: Prompt;
  defaultModel?: string;
  schema?: ResponseFormat;
  results?: typeof truth;
  call?: Record<string, unknown>;
  candidate?: EvaluationCandidate;
}

/** The seal of the change, with some inputs replaced. */
async function seal({
  of = prompt,
  defaultModel = 'small',
  schema = format('number'),
  results = truth,
  call = args,
  candidate = { content: 'Read well.' },
}: SealInputs = {}): Promise<string> {
  const dependencies = {
    models: { resolveModel: async (requested?: string) => requested ?? defaultModel },
    schemas: {
      get: async (schema_revid: string) => ({ schema_revid, response_format: schema }) as Schema,
      checkFormat: () => ({ valid: true, errors: [] }),
    },
  } as unknown as ChangeDependencies;
  return sealOf(await changeOf(of, candidate, dependencies), results, call);
}

it.each<[string, SealInputs]>([
  ['an argument', { call: { ...args, name: 'Bills' } }],
  ['an additional argument', { call: { ...args, tag_ids: [] } }],
  ['the revision of the prompt', { of: { ...prompt, prompt_revid: 'r2' } }],
  ['the model of the organization', { defaultModel: 'large' }],
  ['the model of the prompt', { of: { ...prompt, model: 'large' } }],
  ['the schema', { schema: format('string') }],
  ['the number of examples', { of: { ...prompt, examples: { count: 2 } } }],
  ['an added verified result', { results: [...truth, { document_id: 'd3', prompt_revid: 'r1', version: 1 }] }],
  ['a removed verified result', { results: truth.slice(1) }],
  ['the version of a verified result', { results: [truth[0]!, { ...truth[1]!, version: 4 }] }],
  ['the revision of a verified result', { results: [truth[0]!, { ...truth[1]!, prompt_revid: 'r2' }] }],
  ['the document of a verified result', { results: [truth[0]!, { ...truth[1]!, document_id: 'd9' }] }],
  ['the changed content', { candidate: { content: 'Read better.' } }],
  ['the changed schema', { candidate: { content: 'Read well.', response_format: format('integer') } }],
])('the seal depends on %s', async (_, changed) => {
  expect(await seal(changed)).not.toBe(await seal());
});

it('the seal does not depend on the order of its inputs', async () => {
  const { prompt_id, content, name } = args;
  expect(await seal({ results: truth.toReversed(), call: { name, content, prompt_id } })).toBe(await seal());
});
