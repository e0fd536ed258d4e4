import type { ResponseFormat } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { formatWithBeside, partsOfAnswer, wantedBeside } from './beside-result.ts';

const schema = {
  type: 'object',
  properties: { total: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
};
const format: ResponseFormat = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
const both = { uncertain: true, evidence: true };

describe('what is asked for beside the values', () => {
  it('is doubts where the text was recognised, and words where the prompt wants them', () => {
    const page = (read_by: 'ocr' | 'text') => ({ page_num: 1, text: 'x', read_by });
    expect(wantedBeside([page('text')], undefined)).toEqual({ uncertain: false, evidence: false });
    expect(wantedBeside([page('text'), page('ocr')], true)).toEqual(both);
  });

  it('stands at the root of the schema, all of it required; a field that the schema has itself stays its own', () => {
    expect(formatWithBeside(format, both).json_schema.schema).toMatchObject({
      required: ['total', 'uncertain', 'evidence'],
      additionalProperties: false,
    });
    expect(formatWithBeside(format, { uncertain: false, evidence: false })).toBe(format);
    const own = { ...schema, properties: { ...schema.properties, uncertain: { type: 'string' } } };
    const withOwn = { ...format, json_schema: { ...format.json_schema, schema: own } };
    expect(formatWithBeside(withOwn, { uncertain: true, evidence: false })).toBe(withOwn);
    expect(partsOfAnswer({ total: '5', uncertain: 'no' }, withOwn).result).toEqual({ total: '5', uncertain: 'no' });
  });

  it('is taken from beside the values or from around them; paths that are not there are left out', () => {
    const said = { uncertain: ['total', 'nowhere'], evidence: [{ path: 'total', words: 'Total 5' }] };
    const parts = { result: { total: '5' }, uncertain: ['total'], evidence: { total: 'Total 5' } };
    expect(partsOfAnswer({ total: '5', ...said }, format)).toEqual({ ...parts, isWrapped: false });
    expect(partsOfAnswer({ result: { total: '5' }, ...said }, format)).toEqual({ ...parts, isWrapped: true });
    expect(partsOfAnswer({ total: '5' }, format)).toEqual({
      result: { total: '5' },
      isWrapped: false,
      uncertain: [],
      evidence: {},
    });
  });
});
