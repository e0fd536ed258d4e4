import { randomBytes } from 'node:crypto';
import { completeText, type LlmMessage } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import { expect, it } from 'vitest';
import { createModelRouter } from './model-router.ts';
import type { StoredProvider } from './provider-repository.ts';
import { createTokenVault, tokenPlaceOf } from './provider-token.ts';

const organizationId = '000000000000000000000001';
const vault = createTokenVault(randomBytes(32));
const acme: StoredProvider = {
  name: 'acme',
  display_name: null,
  kind: null,
  base_url: 'https://models.example.com/v1',
  sealed_token: null,
  enabled: true,
  litellm_models_available: [],
  litellm_models_enabled: ['claude'],
  litellm_models_chat_agent: null,
  version: 1,
};

/** A router for an organization with the provider `acme`, and the requests it has sent. */
function routerWith(listed: string[] = []) {
  const endpoint = scriptedLlm([{ text: 'From the endpoint.' }]);
  const requests: {
    authorization: string | null;
    body: { model: string; messages: Record<string, unknown>[]; reasoning_effort?: string };
  }[] = [];
  let provider = acme;
  const noted: unknown[] = [];
  const answers: Response[] = [];
  const route = createModelRouter({
    endpointClient: endpoint,
    configuredModels: ['large', 'acme/configured'],
    endpointModels: { ids: async () => listed },
    providersOf: (organization) => ({
      get: async (name) => (organization === organizationId && name === 'acme' ? provider : undefined),
      addRefusals: async (name, learned) => {
        change({ dialect: [...(provider.dialect ?? []), ...learned] });
        noted.push([name, learned.map(({ model, refused }) => `${model}: ${refused}`)]);
      },
    }),
    log: { warn: () => undefined },
    vault,
    guardedFetch: async (_url, init) => {
      requests.push({
        authorization: new Headers(init?.headers).get('authorization'),
        body: JSON.parse(init?.body as string),
      });
      const [answer] = answers.splice(0, 1);
      if (answer !== undefined) return answer;
      return Response.json({ choices: [{ message: { content: 'From acme.' }, finish_reason: 'stop' }] });
    },
  });
  const change = (changed: Partial<StoredProvider>) => {
    provider = { ...provider, ...changed, version: provider.version + 1 };
  };
  return { route, requests, change, noted, answers };
}

it.each(['large', 'something', 'acme/configured', 'other/claude', 'default/claude', 'acme/listed'])(
  'routes %s to the configured endpoint',
  async (id) => {
    const { route } = routerWith(['acme/listed']);
    expect((await route(organizationId, id)).isDefault).toBe(true);
  },
);

it('routes to a provider only for its organization, by its own model name, while it offers the model', async () => {
  const { route, requests, change } = routerWith();
  const { client, isDefault } = await route(organizationId, 'acme/claude');
  expect(isDefault).toBe(false);
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  expect((await completeText(client, { model: 'acme/claude', messages })).text).toBe('From acme.');
  expect(requests[0]?.body.model).toBe('claude');
  expect((await route('000000000000000000000002', 'acme/claude')).isDefault).toBe(true);
  const notEnabled = { kind: 'invalid', code: 'model_not_enabled' };
  await expect(route(organizationId, 'acme/other')).rejects.toMatchObject(notEnabled);
  change({ enabled: false });
  await expect(route(organizationId, 'acme/claude')).rejects.toMatchObject(notEnabled);
});

it('sends a changed token at once', async () => {
  const { route, requests, change } = routerWith();
  const ask = async () => {
    const { client } = await route(organizationId, 'acme/claude');
    await completeText(client, { model: 'acme/claude', messages: [{ role: 'user', content: 'Hi' }] });
    return requests.at(-1)?.authorization;
  };
  change({ sealed_token: vault.seal('first', tokenPlaceOf(organizationId, acme)) });
  expect(await ask()).toBe('Bearer first');
  change({ sealed_token: vault.seal('second', tokenPlaceOf(organizationId, acme)) });
  expect(await ask()).toBe('Bearer second');
});

it('returns signatures only to the model that wrote them, not to its namesake at another provider', async () => {
  const { route, requests } = routerWith();
  const wrote = (model: string, id: string): LlmMessage[] => [
    {
      role: 'assistant',
      content: 'Thought.',
      model,
      reasoning: [{ kind: 'thinking', text: 'hm', signature: 'signed' }],
      toolCalls: [{ id, name: 'f', arguments: '{}', providerId: `theirs-${id}` }],
    },
    { role: 'tool', callId: id, content: '{}' },
  ];
  const messages: LlmMessage[] = [
    { role: 'user', content: 'Hi' },
    ...wrote('claude', 'one'),
    ...wrote('acme/claude', 'two'),
  ];
  const { client } = await route(organizationId, 'acme/claude');
  await completeText(client, { model: 'acme/claude', messages });
  const [, namesake, , own] = requests[0]!.body.messages;
  expect(namesake).not.toHaveProperty('thinking_blocks');
  expect(namesake).toMatchObject({ tool_calls: [{ id: 'one' }] });
  expect(own).toMatchObject({ thinking_blocks: [{ signature: 'signed' }], tool_calls: [{ id: 'theirs-two' }] });
});

it('sends how much a model thinks, and stores what its endpoint refuses', async () => {
  const { route, requests, change, noted, answers } = routerWith();
  change({ models_reasoning: [{ model: 'claude', reasoning: 'high' }] });
  const message = 'Unrecognized request argument supplied: reasoning_effort';
  answers.push(Response.json({ error: { message } }, { status: 400 }));
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const ask = async (reasoning?: 'low') => {
    const { client } = await route(organizationId, 'acme/claude');
    await completeText(client, { model: 'acme/claude', messages, ...(reasoning && { reasoning }) });
  };
  await ask();
  await ask();
  change({ dialect: [] });
  await ask('low');
  expect(requests.map(({ body }) => body.reasoning_effort)).toEqual(['high', undefined, undefined, 'low']);
  expect(noted).toEqual([['acme', ['claude: reasoning_effort']]]);
});
