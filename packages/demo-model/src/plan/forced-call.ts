import type { Call } from '../call.ts';
import type { JsonSchema } from '../fill/json-schema.ts';
import { fillSchema } from '../fill/fill-schema.ts';
import { documentOf } from '../page/document-text.ts';
import type { ChatRequest } from '../server/chat-request.ts';
import type { Conversation } from './conversation.ts';

/** The call that `tool_choice` demands when the plan makes none: required arguments are filled from the page. */
export function forcedCall(request: ChatRequest, conversation: Conversation): Call | undefined {
  const choice = request.tool_choice;
  const tools = request.tools ?? [];
  const tool =
    typeof choice === 'object' && choice !== null
      ? tools.find(({ function: { name } }) => name === choice.function.name)
      : tools[0];
  if (!tool) return undefined;
  const parameters = (tool.function.parameters ?? {}) as JsonSchema;
  const required = Object.entries(parameters.properties ?? {}).filter(([name]) => parameters.required?.includes(name));
  const schema: JsonSchema = { ...parameters, type: 'object', properties: Object.fromEntries(required) };
  const filled = fillSchema(schema, conversation.document ?? documentOf('', []));
  return { name: tool.function.name, arguments: filled.value as Record<string, unknown> };
}
