import { expect, it } from 'vitest';
import { z } from 'zod';
import { differenceBetween, fingerprint } from './baseline.ts';
import { callIdFor, newCallId, validName } from './call-id.ts';
import { fillIds, filledInDescription } from './fill-ids.ts';
import { createToolset } from './toolset.ts';
import { defineTool } from './tool.ts';

const base = {
  name: 'read_note',
  description: 'Reads a note.',
  effect: 'read' as const,
  execute: async () => null,
};
const tool = defineTool({
  ...base,
  parameters: z.object({ page: z.number().int().default(1).describe('Counts from 1.') }),
});

it('describes its tools as JSON schemas', () => {
  const { definitions } = createToolset([tool]);
  expect(definitions).toEqual([
    {
      type: 'function',
      function: {
        name: 'read_note',
        description: 'Reads a note.',
        parameters: {
          type: 'object',
          properties: {
            page: {
              default: 1,
              description: 'Counts from 1.',
              type: 'integer',
            },
          },
          additionalProperties: false,
        },
      },
    },
  ]);
});

it('refuses two tools of one name', () => {
  expect(() => createToolset([tool, tool])).toThrow(/Two tools are called read_note/);
});

it('omits bounds in lean definitions, and null for tools that create or read', () => {
  const parameters = z.object({
    title: z.string().max(80).nullable(),
    count: z.union([z.string().max(80), z.number(), z.null()]),
    parts: z.array(z.string().min(1)).max(3),
  });
  const argumentRoles = { title: 'content', count: 'content', parts: 'content' } as const;
  const lean = (target?: 'new' | 'subject') => {
    const traits = target === undefined ? {} : ({ effect: 'write', target, argumentRoles } as const);
    const toolset = createToolset([defineTool({ ...base, name: 'note', parameters, ...traits })]);
    return (toolset.lean[0]!.function.parameters as { properties: Record<string, unknown> }).properties;
  };
  const parts = { type: 'array', items: { type: 'string' } };
  const count = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] };
  expect(lean('new')).toEqual({ title: { type: 'string' }, count, parts });
  expect(lean()).toEqual({ title: { type: 'string' }, count, parts });
  const title = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  expect(lean('subject')).toEqual({ title, count, parts });
});

const leanProperties = (...tools: [string, z.ZodRawShape][]) => {
  const { lean } = createToolset(
    tools.map(([name, shape]) => defineTool({ ...base, name, parameters: z.object(shape) })),
  );
  return lean.map((each) => (each.function.parameters as { properties: Record<string, unknown> }).properties);
};

it('omits every bound at any depth, and ids that are filled in', () => {
  const word = z.string().min(1).max(9).regex(/^a/u);
  const kind = (text: string) => z.object({ kind: z.literal(text), word });
  const [properties] = leanProperties([
    'change_note',
    {
      word: word.default('a'),
      mail: z.email(),
      words: z.array(word).min(1).max(9),
      count: z.int().min(1).max(9),
      share: z.number().gt(0).lt(1),
      map: z.record(word, z.string()),
      one: z.discriminatedUnion('kind', [kind('a'), kind('b')]),
      both: z.intersection(word, z.email()),
      id: z.string().describe(filledInDescription),
    },
  ]);
  const text = { type: 'string' };
  const kindOf = (value: string) => ({
    type: 'object',
    properties: { kind: { type: 'string', const: value }, word: text },
    required: ['kind', 'word'],
  });
  expect(properties).toEqual({
    word: text,
    mail: text,
    words: { type: 'array', items: text },
    count: { type: 'integer' },
    share: { type: 'number' },
    map: { type: 'object' },
    one: { oneOf: [kindOf('a'), kindOf('b')] },
    both: { allOf: [text, text] },
  });
});

it('omits descriptions of self-explanatory names, and shapes that the prompt shows elsewhere', () => {
  const shape = z.object({ a: z.string() });
  const [properties] = leanProperties([
    'change_note',
    {
      limit: z.string().describe('How many.'),
      title: z.string().describe('Of the note.'),
      response_format: shape.describe('A format.'),
      pipeline: shape,
      updates: shape,
    },
  ]);
  expect(properties).toEqual({
    limit: { type: 'string' },
    title: { type: 'string', description: 'Of the note.' },
    response_format: { type: 'object', description: 'A format.' },
    pipeline: { type: 'object' },
    updates: { type: 'object' },
  });
});

it('describes a long parameter once for all tools that share it', () => {
  const [long, short] = ['x'.repeat(156), 'x'.repeat(155)];
  const list = z.array(z.object({ [long]: z.string() }));
  const [first, second, third] = leanProperties(
    ['a', { [long]: z.string().describe('One.'), [short]: z.string().describe('Two.'), list: list.describe('All.') }],
    ['b', { [long]: z.string().describe('Other.'), [short]: z.string().describe('Two.'), list }],
    ['c', { [long]: z.number().describe('Three.'), other: list.describe('All.') }],
  );
  expect(first).toMatchObject({ [long]: { description: 'One.' }, list: { description: 'All.' } });
  expect(second).toEqual({
    [long]: { type: 'string', description: 'As in a.' },
    [short]: { type: 'string', description: 'Two.' },
    list: { type: 'array', items: { type: 'object' }, description: 'As in a.' },
  });
  expect(third).toMatchObject({ [long]: { type: 'number', description: 'Three.' }, other: { description: 'All.' } });
});

it('makes names that every provider accepts', () => {
  expect(['fly away!', '', `a-${'b'.repeat(70)}`].map(validName)).toEqual([
    'fly_away_',
    'unnamed',
    `a-${'b'.repeat(62)}`,
  ]);
  expect(newCallId()).toMatch(/^[\da-f]{24}$/);
});

it('gives free ids to items without one', () => {
  expect(fillIds([{}, { id: 'q_1' }, {}, { id: 'other' }], 'q').map(({ id }) => id)).toEqual([
    'q_2',
    'q_1',
    'q_3',
    'other',
  ]);
});

it('offers the chosen tools in the order of the toolset', () => {
  const tools = ['a', 'b', 'c'].map((name) => ({ ...tool, name }));
  const chosen = createToolset(tools).definitionsOf(({ name }) => name !== 'b');
  expect(chosen.map((each) => each.function.name)).toEqual(['a', 'c']);
});

it('describes the range of a number unless it is every whole number', () => {
  const parameters = z.object({ any: z.number().int(), some: z.number().int().min(2).max(9) });
  const [definition] = createToolset([defineTool({ ...base, parameters })]).definitions;
  expect(definition!.function.parameters).toMatchObject({
    properties: { any: { type: 'integer' }, some: { type: 'integer', minimum: 2, maximum: 9 } },
  });
  expect(JSON.stringify(definition)).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

it('describes the changes since a call was proposed', () => {
  const note = (state: Record<string, string>) => [{ thing: 'note:1', name: 'note “A”', state }];
  const before = note({ title: 'A', text: fingerprint('one') });
  expect(differenceBetween(before, note({ title: 'A', text: fingerprint('one') }))).toBeUndefined();
  expect(differenceBetween(before, note({ title: 'B', text: fingerprint('two') }))).toBe(
    'the note “A” has changed (title was A and is B, text)',
  );
  expect(differenceBetween(note({ title: 'A' }), note({}))).toBe('the note “A” has changed (title was A and is none)');
  const other = { thing: 'note:2', name: 'note “C”', state: {} };
  expect(differenceBetween([...note({ title: 'A' }), other], note({ title: 'B' }))).toBe(
    'the note “A” has changed (title was A and is B); it was to work on the note “C”, and would work on something else now',
  );
});

it('makes fingerprints and call ids of a fixed length that depend on their source', () => {
  expect(fingerprint('one')).toMatch(/^sha256:[\da-f]{32}$/);
  expect(fingerprint(undefined)).toBe(fingerprint(null));
  expect(fingerprint(undefined)).not.toBe(fingerprint('one'));
  expect(callIdFor('call_1', 1)).toMatch(/^[\da-f]{24}$/);
  expect(callIdFor('call_1', 1)).toBe(callIdFor('call_1', 1));
  expect(new Set([callIdFor('call_1', 1), callIdFor('call_1', 2), callIdFor('call_2', 1)]).size).toBe(3);
});
