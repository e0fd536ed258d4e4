import { fetchEndpointModels, type EndpointModels, type ModelEndpoint } from './endpoint-models.ts';

const freshMs = 60_000;
/** An endpoint that was away is asked again soon, but not by every request. */
const awayMs = 5_000;

/** What the settings' endpoint lists, asked for once in a while. */
export interface EndpointModelList {
  /** Undefined while the endpoint is away. */
  ids(): Promise<string[] | undefined>;
  /** Those of them that the endpoint keeps for other work than chat; none while it is away. */
  notForChat(): Promise<string[]>;
  /** Asks now. */
  refresh(): Promise<EndpointModels | undefined>;
}

export function createEndpointModelList(
  endpoint: ModelEndpoint,
  fetchModels: (endpoint: ModelEndpoint) => Promise<EndpointModels | undefined> = fetchEndpointModels,
  now: () => number = Date.now,
): EndpointModelList {
  let listed: { models: Promise<EndpointModels | undefined>; until: number } | undefined;

  async function refresh(): Promise<EndpointModels | undefined> {
    const asked = { models: fetchModels(endpoint), until: now() + freshMs };
    listed = asked;
    const models = await asked.models;
    if (models === undefined) asked.until = now() + awayMs;
    return models;
  }

  const current = async () => await (listed && listed.until > now() ? listed.models : refresh());
  return {
    refresh,
    ids: async () => (await current())?.ids,
    notForChat: async () => (await current())?.notForChat ?? [],
  };
}
