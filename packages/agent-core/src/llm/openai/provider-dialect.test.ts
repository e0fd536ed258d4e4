import { expect, it } from 'vitest';
import { dialectOf, guessProviderKind } from './provider-dialect.ts';

it.each([
  ['https://api.openai.com/v1', '', 'openai'],
  ['https://acme.openai.azure.com/openai/v1', '', 'openai'],
  ['https://api.anthropic.com/v1', '', 'anthropic'],
  ['https://generativelanguage.googleapis.com/v1beta/openai', '', 'gemini'],
  ['https://api.deepseek.com', '', 'deepseek'],
  ['https://api.mistral.ai/v1', '', 'mistral'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1', '', 'bedrock'],
  ['http://gpu.example.com:11434/v1', 'deepseek-r1', 'ollama'],
  ['https://proxy.example.com/v1', 'claude-sonnet-4', 'anthropic'],
  ['https://proxy.example.com/v1', 'bedrock/us.anthropic.claude-3', 'bedrock'],
  ['https://proxy.example.com/v1', 'gpt-4o', 'openai'],
  ['https://proxy.example.com/v1', 'gemini-2.5-pro', 'gemini'],
  ['https://notopenai.com.example.com/v1', 'something', 'other'],
  ['not an address', '', 'other'],
])('%s with the model "%s" is of kind %s', (baseUrl, model, kind) => {
  expect(guessProviderKind(baseUrl, model)).toBe(kind);
});

it('derives the dialect from the kind, and from the model’s name if the kind is other', () => {
  const proxy = 'https://proxy.example.com/v1';
  expect(dialectOf(proxy, 'claude-sonnet').emptyContent).toBeNull();
  expect(dialectOf(proxy, 'claude-sonnet', 'other').emptyContent).toBeNull();
  expect(dialectOf(proxy, 'claude-sonnet', 'ollama').emptyContent).toBe('');
  expect(dialectOf(proxy, 'fast', 'anthropic').emptyContent).toBeNull();
  expect(dialectOf(proxy, 'fast', 'deepseek').wantsReasoningContent).toBe(true);
});
