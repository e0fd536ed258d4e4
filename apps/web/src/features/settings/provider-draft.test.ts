import type { LlmProvider } from '@docwright/contract';
import { expect, it } from 'vitest';
import { bodyOf, draftOf, providerNameOf, withChat, withModel, withReasoning, withVision } from './provider-draft.ts';

const provider: LlmProvider = {
  name: 'acme',
  display_name: 'Acme',
  kind: 'openai',
  base_url: 'https://api.example.com/v1',
  token: 'sk-…1234',
  enabled: true,
  litellm_models_available: ['large', 'text-embed'],
  litellm_models_enabled: ['large'],
  litellm_models_chat_agent: ['large'],
  litellm_models_vision: [],
  reasoning: { large: 'low' },
  dialect: [
    { model: 'large', refused: 'tools', instead: 'text', reason: 'no tools', at: '2026-01-01T00:00:00.000Z' },
    { model: 'small', refused: 'tools', instead: 'text', reason: null, at: '2026-01-01T00:00:00.000Z' },
  ],
};

it('sends only changed fields, and never the masked token', () => {
  const draft = draftOf(provider);
  expect(bodyOf(draft, provider)).toEqual({});
  expect(bodyOf({ ...draft, kind: 'guessed', token: ' sk-new ' }, provider)).toEqual({ kind: null, token: 'sk-new' });
  expect(bodyOf({ ...draft, removesToken: true, enabled: false }, provider)).toEqual({ token: null, enabled: false });
});

it('says that an endpoint is in the house, again with another address', () => {
  const draft = draftOf(provider);
  expect(bodyOf({ ...draft, isLocal: true }, provider)).toEqual({ is_local: true });
  const local = { ...provider, is_local: true };
  const moved = { ...draftOf(local), baseUrl: 'http://10.0.0.5/v1' };
  expect(bodyOf(moved, local)).toEqual({ base_url: 'http://10.0.0.5/v1', is_local: true });
  expect(bodyOf({ ...draftOf(local), isLocal: false }, local)).toEqual({ is_local: false });
});

it('sends all fields of a new provider', () => {
  const draft = { ...draftOf(undefined), displayName: 'Acme', baseUrl: ' https://api.example.com/v1 ' };
  expect(bodyOf(draft, undefined)).toEqual({ display_name: 'Acme', base_url: 'https://api.example.com/v1' });
});

it('offers a model for chat when it is put to use, unless its name rules that out', () => {
  const embedding = withModel(draftOf(provider), 'text-embed', true);
  expect(bodyOf(embedding, provider)).toEqual({ litellm_models_enabled: ['large', 'text-embed'] });
  expect(bodyOf(withChat(embedding, 'text-embed', true), provider)).toMatchObject({
    litellm_models_chat_agent: ['large', 'text-embed'],
  });
  const none = withModel(draftOf(provider), 'large', false);
  expect(bodyOf(none, provider)).toEqual({ litellm_models_enabled: [], litellm_models_chat_agent: [] });
});

it.each([
  ['Acme AI (EU)', 'acme-ai-eu'],
  ['Großes Modell é', 'gro-es-modell-e'],
  ['***', ''],
])('makes the name %j into %j', (displayName, name) => {
  expect(providerNameOf(displayName)).toBe(name);
});

it('sends which models see images, except for removed models', () => {
  const seeing = withVision(draftOf(provider), 'large', true);
  expect(bodyOf(seeing, provider)).toEqual({ litellm_models_vision: ['large'] });
  expect(bodyOf(withModel(seeing, 'large', false), provider)).not.toHaveProperty('litellm_models_vision');
});

it('sets how much a model thinks, and forgets what its endpoint refused', () => {
  const draft = draftOf(provider);
  expect(bodyOf(withReasoning(draft, 'large', 'high'), provider)).toEqual({ reasoning: { large: 'high' } });
  expect(bodyOf(withReasoning(draft, 'large', undefined), provider)).toEqual({ reasoning: {} });
  expect(bodyOf({ ...draft, forgotten: ['large'] }, provider).dialect).toEqual([provider.dialect[1]]);
});
