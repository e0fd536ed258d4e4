import type { Answer } from './call.ts';
import { answerExtraction } from './answer-extraction.ts';
import { readConversation } from './plan/conversation.ts';
import { forcedCall } from './plan/forced-call.ts';
import { nextStep } from './plan/plan.ts';
import { planFor } from './plan-for.ts';
import type { ChatRequest } from './server/chat-request.ts';

/** Decides which rules answer a request: filling a schema, or taking the next step of a conversation. */
export function answerRequest(request: ChatRequest): Answer {
  const format = request.response_format;
  if (format && format.type !== 'text') return { text: answerExtraction(request, format), calls: [] };
  const conversation = readConversation(request);
  const answer = nextStep(planFor(conversation), conversation);
  const choice = request.tool_choice ?? 'auto';
  if (choice === 'auto' || choice === 'none') return answer;
  const wanted =
    choice === 'required' ? answer.calls : answer.calls.filter(({ name }) => name === choice.function.name);
  const forced = wanted.length > 0 ? wanted : [forcedCall(request, conversation)].filter((call) => call !== undefined);
  return { text: wanted.length > 0 ? answer.text : '', calls: forced };
}
