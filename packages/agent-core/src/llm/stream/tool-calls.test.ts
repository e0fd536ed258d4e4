import { describe, expect, it } from 'vitest';
import { callDelta, delta } from '../../testing/recorded-fetch.ts';
import { AnswerAccumulator } from './answer-accumulator.ts';
import type { CompletionChunk } from './completion-chunk.ts';

const tools = new Set(['get_schema', 'get_tag', 'list_tags', 'list_prompts']);

/** The calls of a recorded answer. */
function callsOf(chunks: readonly unknown[], end: { reason?: string; done?: boolean } = {}) {
  const accumulator = new AnswerAccumulator((name) => tools.has(name));
  for (const chunk of chunks) accumulator.add(chunk as CompletionChunk);
  const { reason = 'tool_calls', done = true } = end;
  if (reason !== '') accumulator.add(delta({}, reason) as CompletionChunk);
  return accumulator.finish(done).answer.toolCalls;
}

const schema = { name: 'get_schema', arguments: '{"schema_revid":"1"}' };
const tag = { name: 'get_tag', arguments: '{"tag_id":"2"}' };
const [schemaHead, schemaTail] = ['{"schema_re', 'vid":"1"}'];
const [tagHead, tagTail] = ['{"tag', '_id":"2"}'];

describe('identity of tool calls', () => {
  it('1: no index at all gives one call an id', () => {
    const chunks = [
      callDelta({ id: 'a', name: 'get_schema', arguments: '' }),
      callDelta({ arguments: schemaHead }),
      callDelta({ arguments: schemaTail }),
      callDelta({ id: 'b', name: 'get_tag', arguments: tagHead }),
      callDelta({ id: 'b', arguments: tagTail }),
    ];
    expect(callsOf(chunks)).toEqual([
      { ...schema, providerId: 'a' },
      { ...tag, providerId: 'b' },
    ]);
  });

  it('2: an index that is always 0 is split by id', () => {
    const chunks = [
      callDelta({ index: 0, id: 'a', name: 'get_schema', arguments: schemaHead }),
      callDelta({ index: 0, arguments: schemaTail }),
      callDelta({ index: 0, id: 'b', name: 'get_tag', arguments: '' }),
      callDelta({ index: 0, arguments: tag.arguments }),
    ];
    expect(callsOf(chunks)).toEqual([
      { ...schema, providerId: 'a' },
      { ...tag, providerId: 'b' },
    ]);
  });

  it('2: an index that is always 0 is split by id if the fragments alternate', () => {
    const chunks = [
      callDelta({ index: 0, id: 'a', name: 'get_schema', arguments: schemaHead }),
      callDelta({ index: 0, id: 'b', name: 'get_tag', arguments: tagHead }),
      callDelta({ index: 0, id: 'a', arguments: schemaTail }),
      callDelta({ index: 0, id: 'b', arguments: tagTail }),
    ];
    expect(callsOf(chunks)).toMatchObject([schema, tag]);
  });

  it('3: deltas with and without index go to the same calls', () => {
    const chunks = [
      callDelta({ id: 'a', name: 'get_schema', arguments: '' }),
      callDelta({ index: 0, arguments: schemaHead }),
      callDelta({ arguments: schemaTail }),
      callDelta({ id: 'b', name: 'get_tag' }),
      callDelta({ index: 1, arguments: tag.arguments }),
    ];
    expect(callsOf(chunks)).toMatchObject([schema, tag]);
  });

  it.each([
    ['missing', undefined],
    ['blank', ''],
    ['white space', ' '],
  ])('4: an id that is %s leaves the call without one', (_, id) => {
    const chunks = [
      callDelta({ index: 0, id, name: 'get_schema', arguments: schemaHead }),
      callDelta({ index: 0, id, arguments: schemaTail }),
      callDelta({ index: 1, id, ...tag }),
    ];
    expect(callsOf(chunks)).toEqual([schema, tag]);
  });

  it('4: an id that is blank on continuation stays what it was', () => {
    const chunks = [
      callDelta({ index: 0, id: 'a', name: 'get_schema', arguments: schemaHead }),
      callDelta({ index: 0, id: '', name: '', arguments: schemaTail }),
    ];
    expect(callsOf(chunks)).toEqual([{ ...schema, providerId: 'a' }]);
  });

  it('2 and 4: two complete calls are separate without id and index', () => {
    expect(callsOf([callDelta({ index: 0, ...schema }), callDelta({ index: 0, ...tag })])).toEqual([schema, tag]);
    expect(callsOf([callDelta(schema), callDelta(tag)])).toEqual([schema, tag]);
    const again = { name: 'get_tag', arguments: '{"tag_id":"3"}' };
    expect(callsOf([callDelta(tag), callDelta(again)])).toEqual([tag, again]);
  });

  it('5: an index can start at 1, with the id only in the first delta', () => {
    const chunks = [
      callDelta({ index: 1, id: 'a', name: 'get_schema', arguments: schemaHead }),
      callDelta({ index: 1, arguments: schemaTail }),
      callDelta({ index: 2, id: 'b', ...tag }),
    ];
    expect(callsOf(chunks)).toMatchObject([schema, tag]);
  });

  it('6: one id for two calls makes two calls', () => {
    const byIndex = [callDelta({ index: 0, id: 'a', ...schema }), callDelta({ index: 1, id: 'a', ...tag })];
    const byName = [callDelta({ id: 'a', ...schema }), callDelta({ id: 'a', ...tag })];
    for (const chunks of [byIndex, byName]) {
      expect(callsOf(chunks)).toEqual([
        { ...schema, providerId: 'a' },
        { ...tag, providerId: 'a' },
      ]);
    }
  });

  it('7: the full id in every chunk is one call', () => {
    const chunks = ['{"schema', '_revid"', ':"1"}'].map((args, at) =>
      callDelta({ index: 0, id: 'a', arguments: args, ...(at === 0 ? { name: 'get_schema' } : {}) }),
    );
    expect(callsOf(chunks)).toEqual([{ ...schema, providerId: 'a' }]);
  });

  it('8: a very long id is kept whole', () => {
    const id = `call_${'s'.repeat(4567)}`;
    expect(callsOf([callDelta({ index: 0, id, ...schema })])).toEqual([{ ...schema, providerId: id }]);
  });
});

describe('names and arguments', () => {
  it('9: a name that every chunk repeats counts once', () => {
    const chunks = [schemaHead, schemaTail].map((args) =>
      callDelta({ index: 0, id: 'a', name: 'get_schema', arguments: args }),
    );
    expect(callsOf(chunks)).toEqual([{ ...schema, providerId: 'a' }]);
    expect(callsOf([...chunks, callDelta({ index: 0, id: 'a', name: 'get_schema', arguments: '' })])).toHaveLength(1);
  });

  it.each([
    ['in pieces', ['get_', 'sche', 'ma']],
    ['growing', ['get_', 'get_sche', 'get_schema']],
  ])('9: a name %s is put together', (_, names) => {
    const chunks = names.map((name) => callDelta({ index: 0, id: 'a', name }));
    expect(callsOf([...chunks, callDelta({ index: 0, arguments: schema.arguments })])).toMatchObject([schema]);
  });

  it('9: two calls without arguments are not one split name', () => {
    const chunks = [
      callDelta({ index: 0, name: 'list_tags', arguments: '' }),
      callDelta({ index: 0, name: 'list_prompts', arguments: '' }),
    ];
    expect(callsOf(chunks)).toMatchObject([{ name: 'list_tags' }, { name: 'list_prompts' }]);
  });

  it('10: two objects in one call stay unchanged, so that the call fails', () => {
    const both = '{"tag_id":"1"}{"tag_id":"2"}';
    expect(callsOf([callDelta({ index: 0, name: 'get_tag', arguments: both })])).toEqual([
      { name: 'get_tag', arguments: both },
    ]);
    const chunks = [
      callDelta({ index: 0, id: 'a', name: 'get_tag', arguments: both.slice(0, 14) }),
      callDelta({ index: 0, arguments: both.slice(14) }),
    ];
    expect(callsOf(chunks)).toMatchObject([{ arguments: both }]);
  });

  it('11: repeated complete arguments count once', () => {
    const chunks = [
      callDelta({ index: 0, id: 'a', name: 'get_schema', arguments: schemaHead }),
      callDelta({ index: 0, arguments: schemaTail }),
    ];
    for (const again of [schema.arguments, '{ "schema_revid": "1" }']) {
      expect(callsOf([...chunks, callDelta({ index: 0, arguments: again })])).toMatchObject([schema]);
      expect(
        callsOf([...chunks, callDelta({ index: 0, id: 'a', name: 'get_schema', arguments: again })]),
      ).toMatchObject([schema]);
    }
  });

  it.each([[''], [' \n'], [null], [undefined]])('12: arguments that are %j become an empty object', (args) => {
    expect(callsOf([callDelta({ index: 0, id: 'a', name: 'list_tags', arguments: args })])).toEqual([
      { name: 'list_tags', arguments: '{}', providerId: 'a' },
    ]);
  });

  it('12: cut arguments stay cut', () => {
    expect(callsOf([callDelta({ index: 0, name: 'get_schema', arguments: schemaHead })])).toEqual([
      { name: 'get_schema', arguments: schemaHead },
    ]);
  });

  it('arguments can be an object instead of text', () => {
    expect(callsOf([callDelta({ index: 0, name: 'get_tag', arguments: { tag_id: '2' } })])).toEqual([tag]);
  });
});

describe('an answer that ends early', () => {
  const partial = callDelta({ index: 1, name: 'get_tag', arguments: '{"tag' });
  const blank = callDelta({ index: 1, name: 'list_tags', arguments: '' });

  it('19: without a finish reason has complete calls and a truncated one', () => {
    for (const done of [true, false]) {
      expect(callsOf([callDelta({ index: 0, ...schema })], { reason: '', done })).toEqual([schema]);
    }
    const calls = callsOf([callDelta({ index: 0, ...schema }), partial], { reason: '', done: false });
    expect(calls).toEqual([schema, { name: 'get_tag', arguments: '{"tag', truncated: true }]);
  });

  it('20: at the length limit has a truncated call, even before its first argument', () => {
    expect(callsOf([callDelta({ index: 0, ...schema }), partial], { reason: 'length' })).toMatchObject([
      schema,
      { truncated: true },
    ]);
    expect(callsOf([blank], { reason: 'length' })).toMatchObject([{ truncated: true }]);
  });
});
