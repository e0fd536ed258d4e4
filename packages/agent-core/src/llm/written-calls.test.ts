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
  ['<tool_call>{"name":"list_tags","arguments":{"limit":5,},}</tool_call>', ''],
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
  '<tool_call>{"name":"list_tags","arguments":{"limit":</tool_call>',
  'Yes.',
])('does not take %j for a call', (text) => {
  expect(find(text)).toBeUndefined();
});
