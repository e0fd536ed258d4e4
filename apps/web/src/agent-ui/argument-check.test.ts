import { describe, expect, it } from 'vitest';
import { createArgumentCheck } from './argument-check.ts';

const check = createArgumentCheck({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    tag_ids: { type: 'array', items: { type: 'string' } },
  },
  required: ['name'],
  additionalProperties: false,
});

describe('typed arguments', () => {
  it('are valid, or have problems with path and reason', () => {
    expect(check('{"name": "Urgent", "tag_ids": []}')).toEqual([]);
    expect(check('{"name": "Urgent", "tag_ids": [1]}')).toEqual([expect.stringMatching(/^tag_ids\.0: .*string/u)]);
    expect(check('{"tag_ids": []}')).toEqual([expect.stringContaining('"name"')]);
    expect(check('{"name": "Urgent", "colour": "red"}')).toEqual([expect.stringContaining('colour')]);
  });

  it('must be JSON and an object', () => {
    expect(check('{"name": ')).toEqual([expect.stringContaining('not JSON')]);
    expect(check('[]')).toHaveLength(1);
  });
});
