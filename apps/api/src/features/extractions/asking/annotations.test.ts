import type { ResponseFormat } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { formatWithAnnotations, splitAnswer, wantedAnnotations } from './annotations.ts';

const schema = {
  type: 'object',
  properties: { total: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
};
const format: ResponseFormat = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
const both = { uncertain: true, evidence: true };

describe('annotations', () => {
  it('ask for doubts on recognised pages, and for evidence if the prompt wants it', () => {
    const page = (read_by: 'ocr' | 'text') => ({ page_num: 1, text: 'x', read_by });
    expect(wantedAnnotations([page('text')], undefined)).toEqual({ uncertain: false, evidence: false });
    expect(wantedAnnotations([page('text'), page('ocr')], true)).toEqual(both);
  });

  it('are required fields at the root of the schema, and do not replace a field of the schema', () => {
    expect(formatWithAnnotations(format, both).json_schema.schema).toMatchObject({
      required: ['total', 'uncertain', 'evidence'],
      additionalProperties: false,
    });
    expect(formatWithAnnotations(format, { uncertain: false, evidence: false })).toBe(format);
    const own = { ...schema, properties: { ...schema.properties, uncertain: { type: 'string' } } };
    const withOwn = { ...format, json_schema: { ...format.json_schema, schema: own } };
    expect(formatWithAnnotations(withOwn, { uncertain: true, evidence: false })).toBe(withOwn);
    expect(splitAnswer({ total: '5', uncertain: 'no' }, withOwn).result).toEqual({ total: '5', uncertain: 'no' });
  });

  it('are read from the root of the answer or around it, without paths that do not exist', () => {
    const annotations = { uncertain: ['total', 'nowhere'], evidence: [{ path: 'total', words: 'Total 5' }] };
    const parts = { result: { total: '5' }, uncertain: ['total'], evidence: { total: 'Total 5' } };
    expect(splitAnswer({ total: '5', ...annotations }, format)).toEqual({ ...parts, isWrapped: false });
    expect(splitAnswer({ result: { total: '5' }, ...annotations }, format)).toEqual({ ...parts, isWrapped: true });
    expect(splitAnswer({ total: '5' }, format)).toEqual({
      result: { total: '5' },
      isWrapped: false,
      uncertain: [],
      evidence: {},
    });
  });
});
