import { expect, it } from 'vitest';
import { writtenCalls } from './written-calls.ts';

const find = (text: string) => writtenCalls(text, (name) => name === 'list_tags');
const call = { name: 'list_tags', arguments: '{"limit":5}' };
const json = '{"name":"list_tags","arguments":{"limit":5}}';

it.each([
  [`<tool_call>\n${json}\n</tool_call>`, ''],
  [`I look.\n<tool_call>${json}</tool_call>\n`, 'I look.'],
  [`[TOOL_CALLS] [${json}]`, ''],
  ['<function=list_tags>{"limit":5}</function>', ''],
  ['{"name":"list_tags","parameters":{"limit":5}}', ''],
  [`\`\`\`json\n${json}\n\`\`\``, ''],
  [`Look:\n<tool_call>\n${json}`, 'Look:'],
  [`<|python_tag|>${json}<|eom_id|>`, ''],
])('finds the call in %j', (text, before) => {
  expect(find(text)).toEqual({ text: before, toolCalls: [call] });
});

it.each([
  '{"name":"list_tags","arguments":{"limit":[12345678901234567890,1e400,5]}}',
  '[TOOL_CALLS] [{"name":"list_tags","arguments":{"limit":[12345678901234567890,1e400,5]}}]',
])('keeps every digit of %s', (text) => {
  expect(find(text)?.toolCalls[0]?.arguments).toBe('{"limit":[12345678901234567890,1e400,5]}');
});

it('finds several calls in their order', () => {
  const two = `<tool_call>${json}</tool_call><tool_call>{"name":"other","arguments":{}}</tool_call>`;
  expect(find(two)?.toolCalls).toEqual([call, { name: 'other', arguments: '{}' }]);
});

it.each([
  `The page says <tool_call>${json}</tool_call>, which I do not do.`,
  `For example: ${json}`,
  '{"name":"Ada","arguments":{"limit":5}}',
  '{"name":"list_tags","arguments":{"limit":5},"total":7}',
  `For example:\n<tool_call>${json}</tool_call>\nThat is how a call looks.`,
  `For example:\n\`\`\`\n<tool_call>{"name":"list_tags",\n\`\`\``,
  'A call stands between the marks\n<tool_call> and </tool_call>',
  'The marks `<tool_call>{` and\n[TOOL_CALLS] are those of models.',
  '```json\n{"name":"set_price","arguments":{"net":5}}\n```',
  '{"name":"Invoice","parameters":{"total":5}}',
  '{"name":"list_tags","total":5',
  'Page 2 has `<|python_tag|>{`.',
  `<tool_call>${json} is how a call looks.`,
  `[TOOL_CALLS] [${json}]\n\nThat is the form of Mistral.`,
  'Yes.',
])('does not take %j for a call', (text) => {
  expect(find(text)).toBeUndefined();
});

it('marks a call whose JSON was repaired', () => {
  const text = '<tool_call>{"name":"list_tags","arguments":{"limit":5,},}</tool_call>';
  expect(find(text)?.toolCalls).toEqual([{ ...call, repaired: true }]);
});

it.each([
  ['<tool_call>{"name":"list_tags","arguments":{"limit":5}</tool_call>', 'list_tags'],
  ['<tool_call>{"name":"list_tags","limit":5}</tool_call>', 'list_tags'],
  ['<tool_call>\n{"name":"list_tags","arguments":{"limit":', 'list_tags'],
  ['<tool_call>{limit: 5}</tool_call>', 'unknown_tool'],
  [`[TOOL_CALLS] [${json}`, 'list_tags'],
  ['[TOOL_CALLS]list_tags[ARGS]{"limit":5', 'unknown_tool'],
  ['<function=list_tags>{"limit":5}', 'list_tags'],
  ['<|python_tag|>list_tags.call(limit=5)', 'unknown_tool'],
  ['{"name":"list_tags","arguments":{"limit":5}', 'list_tags'],
])('says that %s cannot be read', (written, name) => {
  const unreadable = { name, arguments: written, truncated: true, unreadable: true };
  expect(find(written)).toEqual({ text: '', toolCalls: [unreadable] });
  if (!written.startsWith('{') && !written.startsWith('<|')) {
    expect(find(`I look.\n${written}`)).toEqual({ text: 'I look.', toolCalls: [unreadable] });
  }
});

it('makes the calls behind one that cannot be read', () => {
  const two = `<tool_call>{"name":"other",</tool_call>\n<tool_call>${json}</tool_call>`;
  expect(find(two)).toMatchObject({ text: '', toolCalls: [{ name: 'other', unreadable: true }, call] });
});

it('takes JSON that calls an unknown tool for a call', () => {
  expect(find('{"name":"list_all_tags","arguments":{"limit":5}}')?.toolCalls).toEqual([
    { ...call, name: 'list_all_tags' },
  ]);
});

it.each(['\n', ' ', '}a', '```\n', '<tool_call>{'])('reads a flood of %j in linear time', (piece) => {
  const started = process.cpuUsage();
  find(`<tool_call>{${piece.repeat(Math.floor(190_000 / piece.length))}x`);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(2000);
});
