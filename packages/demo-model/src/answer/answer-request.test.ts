import { expect, it } from 'vitest';
import { chatRequest } from '../protocol/chat-request.ts';
import { answerRequest } from './answer-request.ts';

it('calls a tool through `use_tool` when only the description of `use_tool` offers it', () => {
  const description = 'Uses one of these:\n- list_tags(limit?: integer): Lists the tags.';
  const messages = [{ role: 'user', content: 'list the tags' }];
  const tools = [{ type: 'function', function: { name: 'use_tool', description } }];
  const { calls } = answerRequest(chatRequest.parse({ model: 'demo-rules-1', messages, tools }));
  expect(calls).toMatchObject([{ name: 'use_tool', arguments: { name: 'list_tags' } }]);
});
