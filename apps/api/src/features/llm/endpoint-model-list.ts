import { fetchEndpointModels, type ModelEndpoint } from './endpoint-models.ts';

const freshMs = 60_000;
/** An endpoint that was away is asked again soon, but not by every request. */
const awayMs = 5_000;

/** What the settings' endpoint lists, asked for once in a while. */
export interface EndpointModelList {
  /** Undefined while the endpoint is away. */
  ids(): Promise<string[] | undefined>;
  /** Asks now. */
  refresh(): Promise<string[] | undefined>;
}

export function createEndpointModelList(
  endpoint: ModelEndpoint,
  fetchModels: (endpoint: ModelEndpoint) => Promise<string[] | undefined> = fetchEndpointModels,
  now: () => number = Date.now,
): EndpointModelList {
  let listed: { ids: Promise<string[] | undefined>; until: number } | undefined;

  async function refresh(): Promise<string[] | undefined> {
    const asked = { ids: fetchModels(endpoint), until: now() + freshMs };
    listed = asked;
    const ids = await asked.ids;
    if (ids === undefined) asked.until = now() + awayMs;
    return ids;
  }

  return { refresh, ids: async () => await (listed && listed.until > now() ? listed.ids : refresh()) };
}
