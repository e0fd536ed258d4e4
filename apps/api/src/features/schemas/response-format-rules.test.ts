import { describe, expect, it } from 'vitest';
import { checkResponseFormat } from './response-format-rules.ts';

const text = { type: 'string' };
const closed = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const errorsOf = (schema: unknown) => checkResponseFormat(schema).errors;

describe('valid schemas', () => {
  it('include nested ones with definitions, formats and nullable fields, with and without the wrapper', () => {
    const schema = closed(
      {
        invoice_number: { type: ['string', 'null'], description: 'As printed', pattern: '^[A-Z]{2}-\\d+$' },
        date: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        line_items: { type: 'array', items: closed({ amount: { type: 'number' } }) },
        seller: { $ref: '#/$defs/party' },
        buyer: { $ref: '#/$defs/party' },
      },
      { $schema: 'http://json-schema.org/draft-07/schema#', $defs: { party: closed({ name: text }) } },
    );
    expect(checkResponseFormat(schema)).toEqual({ valid: true, errors: [] });
    const wrapped = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
    expect(checkResponseFormat(wrapped)).toEqual({ valid: true, errors: [] });
  });

  it('include tests such as "not", which need not define a shape', () => {
    const schema = closed(
      { kind: text },
      { not: { properties: { kind: { const: 'a' } } }, dependencies: { kind: { required: ['kind'] } } },
    );
    expect(errorsOf(schema)).toEqual([]);
  });
});

describe('rejected with path and cure', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['no object at all', 'text', '', /JSON object/],
    ['a wrapper without a schema', { type: 'json_schema', json_schema: { name: 'x' } }, '', /schema is missing/],
    ['a root that is a list', { type: 'array', items: text }, 'type', /root/],
    ['a list without rows', closed({ rows: { type: ['array', 'null'] } }), 'properties.rows.items', /"items"/],
    ['a type that is none', closed({ a: { type: 'strin' } }), 'properties.a.type', /must be/],
    ['a newer draft', closed({}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }), '$schema', /draft 7/],
    ['an optional property', { ...closed({ a: text }), required: [] }, 'required', /"a"/],
    ['a required name without property', closed({ a: text }, { required: ['a', 'b'] }), 'required', /"b"/],
    [
      'an open object in a list',
      closed({ rows: { type: 'array', items: { type: 'object' } } }),
      'properties.rows.items',
      /additionalProperties/,
    ],
    [
      'an open branch',
      closed({ a: { anyOf: [{ type: 'null' }, { type: 'object', properties: {} }] } }),
      'properties.a.anyOf.1',
      /additionalProperties/,
    ],
    [
      'an open definition',
      closed({}, { definitions: { d: { type: 'object' } } }),
      'definitions.d',
      /additionalProperties/,
    ],
    [
      'a remote reference',
      closed({ a: { $ref: 'https://example.com/a.json' } }),
      'properties.a.$ref',
      /inside the schema/,
    ],
    ['a reference to nothing', closed({ a: { $ref: '#/definitions/no' } }), 'properties.a.$ref', /points to no schema/],
    ['a reference back to itself', closed({ child: { $ref: '#' } }), '', /recursive/],
    [
      'a name that reaches a prototype',
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
      ),
      'properties.__proto__',
      /another name/,
    ],
    ['a name with a dot', closed({ 'a.b': text }), 'properties.a.b', /dot/],
    [
      'a pattern with look-ahead',
      closed({ a: { type: 'string', pattern: '^(?=a)b' } }),
      'properties.a.pattern',
      /look-around/,
    ],
    [
      'a pattern that explodes',
      closed({ a: { type: 'string', pattern: '((a{1000}){1000}){1000}' } }),
      'properties.a.pattern',
      /repeat/,
    ],
    ['an identifier of its own', closed({}, { $id: 'http://json-schema.org/draft-07/schema#' }), '$id', /Remove/],
  ])('%s', (_case, schema, path, message) => {
    const errors = errorsOf(schema);
    expect(errors.map((error) => error.path)).toContain(path);
    expect(errors.find((error) => error.path === path)?.message).toMatch(message);
  });

  it('a schema nested too deep, in JSON or through references', () => {
    let deep: unknown = text;
    for (let level = 0; level < 30; level += 1) deep = closed({ inner: deep });
    expect(errorsOf(deep)[0]?.message).toMatch(/nested deeper/);
    for (let level = 0; level < 100_000; level += 1) deep = { not: deep };
    expect(errorsOf(deep)[0]?.message).toMatch(/nested deeper/);
  });

  it('references that multiply exponentially', () => {
    const definitions: Record<string, unknown> = { d0: text };
    for (let level = 1; level <= 18; level += 1) {
      const next = { $ref: `#/definitions/d${level - 1}` };
      definitions[`d${level}`] = { anyOf: [next, next, next] };
    }
    expect(errorsOf(closed({ a: { $ref: '#/definitions/d9' } }, { definitions }))[0]?.message).toMatch(/deeper|parts/);
  });

  it('too many or too expensive patterns', () => {
    const costly = { type: 'string', pattern: '^(a|b|c){1,900}$' };
    expect(errorsOf(closed({ a: costly }))[0]?.message).toMatch(/repeats too much/);
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`p${index}`, { pattern: '^a' }]));
    expect(errorsOf(closed(many))[0]?.message).toMatch(/200 patterns/);
  });

  it('a schema that is too large', () => {
    expect(errorsOf(closed({ a: { ...text, description: 'x'.repeat(200_001) } }))[0]?.message).toMatch(/larger/);
  });
});
