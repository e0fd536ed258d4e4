import { fetchEndpointModels, type EndpointModels, type ModelEndpoint } from './endpoint-models.ts';

const freshMs = 60_000;
/** An unreachable endpoint is retried soon, but not by every request. */
const retryMs = 5_000;

/** The models of the configured endpoint, cached for a minute. */
export type EndpointModelList = ReturnType<typeof createEndpointModelList>;

export function createEndpointModelList(
  endpoint: ModelEndpoint,
  fetchModels: (endpoint: ModelEndpoint) => Promise<EndpointModels | undefined> = fetchEndpointModels,
  now: () => number = Date.now,
) {
  let cached: { models: Promise<EndpointModels | undefined>; until: number } | undefined;

  async function refresh(): Promise<EndpointModels | undefined> {
    const fetched = { models: fetchModels(endpoint), until: now() + freshMs };
    cached = fetched;
    const models = await fetched.models;
    if (models === undefined) fetched.until = now() + retryMs;
    return models;
  }

  const current = async () => await (cached && cached.until > now() ? cached.models : refresh());
  return {
    /** Bypasses the cache. */
    refresh,
    /** Undefined while the endpoint is unreachable. */
    ids: async (): Promise<string[] | undefined> => (await current())?.ids,
    /** The models that are not for chat, according to the endpoint; none while it is unreachable. */
    notForChat: async (): Promise<string[]> => (await current())?.notForChat ?? [],
  };
}
