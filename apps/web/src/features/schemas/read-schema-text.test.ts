import { describe, expect, it } from 'vitest';
import { formatName, readSchemaText, responseFormatOf } from './read-schema-text.ts';

const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };

describe('the text of a schema', () => {
  it('can be the schema or a whole response_format', () => {
    const format = { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } };
    expect(readSchemaText(JSON.stringify(schema))).toEqual({ schema });
    expect(readSchemaText(JSON.stringify(format))).toEqual({ schema });
  });

  it('has an error if it is neither', () => {
    expect(readSchemaText('{ "type": ').error).toMatch(/not JSON yet/);
    expect(readSchemaText('[1]').error).toMatch(/JSON object/);
  });
});

describe('what is sent', () => {
  it('keeps the fields around the schema', () => {
    const former = {
      type: 'json_schema' as const,
      json_schema: { name: 'old', strict: false, description: 'd', schema: {} },
    };
    expect(responseFormatOf(schema, 'New name', former).json_schema).toEqual({
      name: 'old',
      strict: false,
      description: 'd',
      schema,
    });
  });

  it('has a name that model services accept', () => {
    expect(formatName('Rechnung Größe: A/B')).toMatch(/^[a-z0-9_-]+$/);
    expect(formatName('日本')).toBe('schema');
  });
});
