import { expect, it } from 'vitest';
import { createModelService } from './model-service.ts';
import type { StoredProvider } from './provider-repository.ts';

function provider(name: string, models: string[], change: Partial<StoredProvider> = {}): StoredProvider {
  return {
    name,
    display_name: null,
    kind: null,
    base_url: 'https://models.example.com/v1',
    sealed_token: null,
    enabled: true,
    litellm_models_available: [],
    litellm_models_enabled: models,
    litellm_models_chat_agent: null,
    version: 1,
    ...change,
  };
}

function modelsWith(providers: StoredProvider[], listed?: string[], notForChat: string[] = []) {
  const models = createModelService({
    model: 'large',
    fallbackModel: 'small',
    endpointAcceptsImages: () => false,
    endpointModels: { ids: async () => listed, notForChat: async () => notForChat },
    providersOf: () => ({ list: async () => providers }),
  });
  return models('000000000000000000000001');
}

it("lists the endpoint's models besides the configured ones, the default first", async () => {
  const models = modelsWith([], ['small', 'text-embedding-3']);
  expect(await models.list()).toEqual([
    { id: 'large', provider: 'default', chat_agent: true, default: true },
    { id: 'small', provider: 'default', chat_agent: true, default: false },
    { id: 'text-embedding-3', provider: 'default', chat_agent: false, default: false },
  ]);
  expect((await models.list({ chat_only: true })).map((model) => model.id)).toEqual(['large', 'small']);
  expect(await models.resolveModel()).toBe('large');
  expect(await models.resolveModel('small')).toBe('small');
  await expect(models.resolveModel('other')).rejects.toMatchObject({ kind: 'invalid', code: 'model_not_enabled' });
});

it('offers no model for chat that is for other work according to its endpoint, whatever its name', async () => {
  const own = provider('acme', ['m1', 'vectors'], { models_not_for_chat: ['vectors'] });
  const models = modelsWith([own], ['small', 'meaning'], ['meaning']);
  expect((await models.list({ chat_only: true })).map(({ id }) => id)).toEqual(['large', 'small', 'acme/m1']);
});

it('lists the configured models while the endpoint is unreachable', async () => {
  expect((await modelsWith([]).list()).map(({ id }) => id)).toEqual(['large', 'small']);
});

it('distinguishes models of several providers, and accepts only unambiguous bare names', async () => {
  const disabled = provider('off', ['only-there'], { enabled: false });
  const models = modelsWith([provider('acme', ['m1', 'm2', 'embed-1']), provider('best', ['m1']), disabled], ['m2']);
  const ids = (await models.list()).map(({ id }) => id);
  expect(ids).toEqual(['large', 'small', 'm2', 'acme/m1', 'acme/m2', 'acme/embed-1', 'best/m1']);
  expect((await models.list({ chat_only: true })).map(({ id }) => id)).not.toContain('acme/embed-1');
  expect(await models.resolveModel('best/m1')).toBe('best/m1');
  expect(await models.resolveModel('m2')).toBe('m2');
  expect(await models.resolveModel('embed-1')).toBe('acme/embed-1');
  for (const refused of ['m1', 'only-there', 'off/only-there', 'acme/m3', 'acme']) {
    await expect(models.resolveModel(refused)).rejects.toMatchObject({ code: 'model_not_enabled' });
  }
});

it("lists only the organization's choice of the endpoint's models, besides the configured ones", async () => {
  const choice = provider('default', ['b'], { base_url: null, litellm_models_chat_agent: [] });
  const models = modelsWith([choice], ['a', 'b']);
  expect((await models.list()).map(({ id, chat_agent }) => [id, chat_agent])).toEqual([
    ['large', true],
    ['small', true],
    ['b', false],
  ]);
  await expect(models.resolveModel('a')).rejects.toMatchObject({ code: 'model_not_enabled' });
});
