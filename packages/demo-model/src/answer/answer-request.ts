import { asksDocuments, planAsk } from '../ask/plan-ask.ts';
import { designsColumns } from '../columns/known-columns.ts';
import { planColumns } from '../columns/plan-columns.ts';
import { type RuleInput, furtherTools, readConversation } from '../conversation/conversation.ts';
import { nextAnswer, type PlanOfSteps } from '../conversation/plan.ts';
import { planDocument } from '../document-agent/plan-document.ts';
import { fillSchema } from '../fill/fill-schema.ts';
import type { FieldSchema } from '../fill/schema/json-schema.ts';
import { emptyDocument } from '../page/document-text.ts';
import { buildsPipeline, planPipeline } from '../pipelines/plan-pipeline.ts';
import { analyzesSource, planSourceAnalysis, planValidation, validatesPipeline } from '../pipelines/plan-sub-agents.ts';
import type { Answer, Call } from '../protocol/answer.ts';
import type { CompletionRequest } from '../protocol/chat-request.ts';
import { keepsTasks, planTasks } from '../tasks/plan-tasks.ts';
import { answerExtraction } from './answer-extraction.ts';
import { chooseRoute, choosesRoute } from './choose-route.ts';

/** Decides which rules answer a request: filling a schema, or taking the next step of a conversation. */
export function answerRequest(request: CompletionRequest): Answer {
  const format = request.response_format;
  if (format && choosesRoute(format)) return chooseRoute(request);
  if (format && format.type !== 'text') return answerExtraction(request, format);
  const conversation = readConversation(request);
  const answer = callAsOffered(nextAnswer(planFor(conversation), conversation), request);
  const choice = request.tool_choice ?? 'auto';
  if (choice === 'auto' || choice === 'none') return answer;
  const calls = choice === 'required' ? answer.calls : answer.calls.filter(({ name }) => name === choice.function.name);
  if (calls.length > 0) return { text: answer.text, calls };
  const call = forcedCall(request, conversation);
  return { text: '', calls: call ? [call] : [] };
}

/** Chooses the plan for the user's last message. The offered tools show which of the product's agents asks. */
function planFor(conversation: RuleInput): PlanOfSteps | string {
  if (analyzesSource(conversation)) return planSourceAnalysis();
  if (validatesPipeline(conversation)) return planValidation(conversation);
  if (buildsPipeline(conversation)) return planPipeline(conversation);
  if (asksDocuments(conversation)) return planAsk(conversation);
  if (keepsTasks(conversation)) return planTasks(conversation);
  if (designsColumns(conversation)) return planColumns(conversation);
  return planDocument(conversation);
}

/** A tool that is only a line in the description of `use_tool` is called through `use_tool`. */
function callAsOffered({ text, calls }: Answer, { tools }: CompletionRequest): Answer {
  const offered = new Set(tools?.map((tool) => tool.function.name));
  return {
    text,
    calls: calls.map((call) =>
      offered.has(call.name) ? call : { name: furtherTools, arguments: { name: call.name, arguments: call.arguments } },
    ),
  };
}

/** The call that `tool_choice` demands when the plan makes none: required arguments are filled from the page. */
function forcedCall(request: CompletionRequest, conversation: RuleInput): Call | undefined {
  const choice = request.tool_choice;
  const tools = request.tools ?? [];
  const tool =
    typeof choice === 'object' && choice !== null
      ? tools.find(({ function: { name } }) => name === choice.function.name)
      : tools[0];
  if (!tool) return undefined;
  const parameters = (tool.function.parameters ?? {}) as FieldSchema;
  const required = Object.entries(parameters.properties ?? {}).filter(([name]) => parameters.required?.includes(name));
  const schema: FieldSchema = { ...parameters, type: 'object', properties: Object.fromEntries(required) };
  const filled = fillSchema(schema, conversation.document ?? emptyDocument);
  return { name: tool.function.name, arguments: filled.value as Record<string, unknown> };
}
