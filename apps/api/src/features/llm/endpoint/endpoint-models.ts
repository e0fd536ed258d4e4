import { DomainError } from '@docwright/contract';
import { z } from 'zod';

const modelId = z.string().min(1).max(200);
const mode = z.string().nullish().catch(undefined);
const modelListAnswer = z.object({ data: z.array(z.object({ id: modelId, mode, type: mode })).max(10_000) });
/** LiteLLM reports the purpose of a model in a separate answer. */
const modelInfoAnswer = z.object({
  data: z.array(z.object({ model_name: modelId, model_info: z.object({ mode }).nullish() })).max(10_000),
});
const chatModes = new Set(['chat', 'completion', 'responses', 'language', 'code', 'model', 'multimodal']);
const timeoutMs = 3_000;
const maxBytes = 5_000_000;

export interface ModelEndpoint {
  baseUrl: string;
  apiKey: string | undefined;
}

export interface EndpointModels {
  ids: string[];
  /** Models that are for other work such as embeddings, according to the endpoint, whatever their names. */
  notForChat: string[];
}

/**
 * The models that an OpenAI-compatible endpoint lists at `/models`; undefined if it is unreachable, slow or answers
 * otherwise.
 */
export async function fetchEndpointModels(endpoint: ModelEndpoint): Promise<EndpointModels | undefined> {
  try {
    return await readEndpointModels(endpoint, fetch);
  } catch {
    // The call that needs a model reports the endpoint's error.
    return undefined;
  }
}

/**
 * The models that an endpoint lists at `/models`. Throws a DomainError of kind `model_failed`: `models_not_listed`, or
 * the reason why `through` refused to connect.
 */
export async function readEndpointModels(endpoint: ModelEndpoint, through: typeof fetch): Promise<EndpointModels> {
  const [{ data }, modes] = await Promise.all([readModelList(endpoint, through), readModes(endpoint, through)]);
  const modeOf = new Map(
    data.map(({ id, mode: ownMode, type }) => [id, modes.get(id) ?? ownMode ?? type ?? undefined]),
  );
  const isOther = (purpose: string | undefined) => purpose !== undefined && !chatModes.has(purpose);
  return {
    ids: [...modeOf.keys()],
    notForChat: [...modeOf].filter(([, purpose]) => isOther(purpose)).map(([id]) => id),
  };
}

async function readModelList(endpoint: ModelEndpoint, through: typeof fetch): Promise<z.infer<typeof modelListAnswer>> {
  try {
    const response = await fetchPath(endpoint, '/models', through);
    if (!response.ok) {
      await response.body?.cancel();
      throw notListed(`answered with status ${response.status}`);
    }
    const answer = modelListAnswer.safeParse(JSON.parse(await textOf(response)));
    if (!answer.success) throw notListed('did not answer with a list of models');
    return answer.data;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof Error && error.cause instanceof DomainError) throw error.cause;
    if (error instanceof SyntaxError) throw notListed('did not answer with JSON');
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    throw notListed(timedOut ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached');
  }
}

/** The mode of each model, if the endpoint is a LiteLLM proxy that allows the key to read it. */
async function readModes(endpoint: ModelEndpoint, through: typeof fetch): Promise<ReadonlyMap<string, string>> {
  try {
    const response = await fetchPath(endpoint, '/model/info', through);
    if (!response.ok) {
      await response.body?.cancel();
      return new Map();
    }
    const { data } = modelInfoAnswer.parse(JSON.parse(await textOf(response)));
    return new Map(
      data.flatMap(({ model_name, model_info }) => (model_info?.mode ? [[model_name, model_info.mode] as const] : [])),
    );
  } catch {
    return new Map();
  }
}

async function fetchPath({ baseUrl, apiKey }: ModelEndpoint, path: string, through: typeof fetch): Promise<Response> {
  return await through(`${baseUrl.replace(/\/+$/, '')}${path}`, {
    headers: { accept: 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
    signal: AbortSignal.timeout(timeoutMs),
  });
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > maxBytes) throw notListed('answered with far more than a list of models');
  }
  return text + decoder.decode();
}

function notListed(what: string): DomainError {
  return new DomainError(
    'model_failed',
    'models_not_listed',
    `The endpoint ${what} when it was asked for its models. Check its base_url, which usually ends in /v1, and its token.`,
  );
}
