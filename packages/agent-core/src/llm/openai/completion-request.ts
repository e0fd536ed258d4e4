import type { ProviderKind } from '@docwright/contract';
import type { LlmRequest, LlmTool } from '../llm-client.ts';
import { toWireMessages } from './message-conversion.ts';
import { dialectOf } from './provider-dialect.ts';

/** An agent's tools are the same in every round of every turn: their text is made once for each list. */
const toolTexts = new WeakMap<readonly LlmTool[], string>();

/** The body of a streamed chat completion, as JSON. */
export function completionRequest(request: LlmRequest, baseUrl: string, kind?: ProviderKind): string {
  const { model, tools, responseFormat } = request;
  const head = JSON.stringify({
    model,
    messages: toWireMessages(request.messages, model, dialectOf(baseUrl, model, kind)),
    ...(responseFormat === undefined ? {} : { response_format: responseFormat }),
    stream: true,
    stream_options: { include_usage: true },
  });
  return tools === undefined || tools.length === 0 ? head : `${head.slice(0, -1)},"tools":${textOfTools(tools)}}`;
}

function textOfTools(tools: readonly LlmTool[]): string {
  const known = toolTexts.get(tools);
  if (known !== undefined) return known;
  const text = JSON.stringify(tools);
  toolTexts.set(tools, text);
  return text;
}
