import { DomainError } from '@docwright/contract';
import { z } from 'zod';

const modelListAnswer = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(10_000) });
const timeoutMs = 3_000;
const maxBytes = 5_000_000;

export interface ModelEndpoint {
  baseUrl: string;
  apiKey: string | undefined;
}

/** The ids that an OpenAI-compatible endpoint lists at `/models`; undefined when it is away, slow or answers something else. */
export async function fetchEndpointModels(endpoint: ModelEndpoint): Promise<string[] | undefined> {
  try {
    return await readEndpointModels(endpoint, fetch);
  } catch {
    // What is wrong with the endpoint is told, with its cure, by the call that needs a model.
    return undefined;
  }
}

/**
 * The ids that an endpoint lists at `/models`. Throws a DomainError of kind `model_failed`: `models_not_listed`, or why
 * `through` refused to connect.
 */
export async function readEndpointModels({ baseUrl, apiKey }: ModelEndpoint, through: typeof fetch): Promise<string[]> {
  const url = `${baseUrl.replace(/\/+$/, '')}/models`;
  try {
    const response = await through(url, {
      headers: { accept: 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw notListed(`answered with status ${response.status}`);
    }
    const answer = modelListAnswer.safeParse(JSON.parse(await textOf(response)));
    if (!answer.success) throw notListed('answered with something else than a list of models');
    return [...new Set(answer.data.data.map((model) => model.id))];
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof Error && error.cause instanceof DomainError) throw error.cause;
    if (error instanceof SyntaxError) throw notListed('answered with something else than JSON');
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    throw notListed(timedOut ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached');
  }
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
