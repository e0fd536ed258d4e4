import { expect, it } from 'vitest';
import { createDocumentAgentProfile, offeredTo } from '../document-agent/profile.ts';
import { documentAgentTools } from '../document-agent/tools/index.ts';
import { createInMemoryDocumentServices } from '../testing/in-memory-document-services.ts';
import { drain, pendingOf, practiceInput } from '../testing/practice-turn.ts';
import { historyIn, scriptedLlm } from '../testing/scripted-llm.ts';
import { furtherToolsDefinition, furtherToolsName, unwrapCall } from './further-tools.ts';

const names = (kind: Parameters<typeof offeredTo>[0]) => {
  const offered = offeredTo(kind);
  const further = offered.find((tool) => tool.function.name === furtherToolsName)?.function.description ?? '';
  return {
    defined: offered.map((tool) => tool.function.name),
    listed: [...further.matchAll(/^- (\w+)\(/gmu)].map(([, name = '']) => name),
    further,
  };
};

it('every tool is offered once: with its definition, or as a line of use_tool', () => {
  const { defined, listed, further } = names({ canSee: true });
  const offered = [...defined.filter((name) => name !== furtherToolsName), ...listed];
  expect(offered.toSorted()).toEqual(documentAgentTools.tools.map(({ name }) => name).toSorted());
  expect(defined.at(-1)).toBe(furtherToolsName);
  expect(further).toContain('- create_tag(name');
  expect(further).toContain('tag_ids?: string[]');
});

it('tools that a conversation cannot use are not listed', () => {
  expect(names({ isUnattended: true }).listed.filter((name) => name.startsWith('delete_'))).toEqual([]);
  expect(names({ isReadOnly: true }).listed).toContain('list_tags');
  expect(names({ isReadOnly: true }).listed).not.toContain('create_tag');
});

it('the tools of a request have at most two thirds of the size of all definitions', () => {
  expect(JSON.stringify(offeredTo({})).length).toBeLessThan(JSON.stringify(documentAgentTools.lean).length * (2 / 3));
});

it('a line has the signature of a tool and the first sentence of its description', () => {
  const properties = {
    text: { type: 'string' },
    kind: { enum: ['a', 2] },
    count: { anyOf: [{ type: 'number' }, { type: 'null' }, { type: 'number' }] },
    parts: { type: 'array', items: { type: 'string' } },
    all: { type: 'array' },
    box: { type: 'object', properties: { x: { type: 'number' }, y: {} }, required: ['x'] },
    loose: { type: 'object', properties: { z: { type: 'string' } } },
    free: { type: 'object' },
    odd: { type: 'string', properties: {} },
  };
  const toolOf = (name: string, description: string, parameters: Record<string, unknown>) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  });
  const definition = furtherToolsDefinition([
    toolOf('note', 'Writes v1.2 of a note. And more.', { properties, required: ['text', 'parts'] }),
    toolOf('none', 'Says\nnothing. At all.', {}),
  ]);
  const signature =
    'text, kind?: "a"|2, count?: number|null, parts: string[], all?: any[], box?: {x: number, y?: any}, loose?: {z?}, free?: object, odd?';
  expect(definition).toEqual(
    toolOf(
      furtherToolsName,
      `Calls one of these tools by its name, with its arguments:\n- note(${signature}): Writes v1.2 of a note.\n- none(): Says\nnothing. At all.`,
      {
        type: 'object',
        required: ['name', 'arguments'],
        properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      },
    ),
  );
});

it.each([
  ['{"name":"create_tag","arguments":{"name":"Paid"}}', 'create_tag', '{"name":"Paid"}'],
  ['{"name":"create_tag","arguments":"{\\"name\\":\\"Paid\\"}"}', 'create_tag', '{"name":"Paid"}'],
  ['{"name":"list_tags"}', 'list_tags', '{}'],
  ['{"name":"a","arguments":{"value":12345678901234567890}}', 'a', '{"value":12345678901234567890}'],
  ['{"name":7}', furtherToolsName, '{"name":7}'],
  ['[', furtherToolsName, '['],
  ['null', furtherToolsName, 'null'],
  ['{"name":"use_tool","arguments":{}}', furtherToolsName, '{"name":"use_tool","arguments":{}}'],
])('%s is a call of %s', (text, name, args) => {
  const call = { name: furtherToolsName, arguments: text, providerId: 'p' };
  expect(unwrapCall(call)).toEqual({ name, arguments: args, providerId: 'p' });
});

it('a call of another tool is returned unchanged', () => {
  const call = { name: 'create_tag', arguments: '{"name":"list_tags"}' };
  expect(unwrapCall(call)).toBe(call);
});

it('a truncated call is returned unchanged', () => {
  const call = { name: furtherToolsName, arguments: '{"name":"create_tag"}', truncated: true as const };
  expect(unwrapCall(call)).toBe(call);
});

it('the user approves the wrapped tool, and the conversation stores its name', async () => {
  const use = (args: object) => ({ calls: [{ name: furtherToolsName, args: { ...args } }] });
  const llm = scriptedLlm([
    use({ name: 'create_tag', arguments: { name: 'Paid', colour: 'red' } }),
    use({ arguments: {} }),
    use({ name: 'create_tag', arguments: { name: 'Paid' } }),
    { text: 'Done.' },
  ]);
  const services = createInMemoryDocumentServices();
  const { profile: _profile, services: _services, ...input } = practiceInput(llm, { ran: [] });
  const run = { ...input, services, profile: createDocumentAgentProfile({ maxRounds: 5, timeoutMs: 5000 }) };
  const pending = pendingOf((await drain(run)).result);
  expect(pending.batch.calls).toMatchObject([
    { name: 'create_tag', arguments: '{"name":"Paid"}', needs_approval: true },
  ]);
  const approvals = pending.batch.calls.map(({ id }) => ({ call_id: id, approved: true }));
  await drain({ ...run, turn: { pending, approvals, answers: [] } });
  expect(services.store.tags).toMatchObject([{ name: 'Paid' }]);
  const sent = historyIn(llm.requests.at(-1));
  expect(sent.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))).toMatchObject([
    { name: 'create_tag' },
    { name: furtherToolsName },
    { name: 'create_tag' },
  ]);
  expect(JSON.stringify(sent)).toContain('create_tag takes name, color, description');
});
