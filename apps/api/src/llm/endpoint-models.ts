import { z } from 'zod';

const modelListAnswer = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(10_000) });
const timeoutMs = 3_000;

export interface ModelEndpoint {
  baseUrl: string;
  apiKey: string | undefined;
}

/** The ids that an OpenAI-compatible endpoint lists at `/models`; undefined when it is away, slow or answers something else. */
export async function fetchEndpointModels({ baseUrl, apiKey }: ModelEndpoint): Promise<string[] | undefined> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: { accept: 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const answer = modelListAnswer.safeParse(await response.json());
    return answer.success ? answer.data.data.map((model) => model.id) : undefined;
  } catch {
    // What is wrong with the endpoint is told, with its cure, by the call that needs a model.
    return undefined;
  }
}
