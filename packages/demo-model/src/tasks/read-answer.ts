import type { Conversation } from '../plan/conversation.ts';
import type { TaskRequest } from './task-request.ts';
import { taskRequestsIn } from './task-requests.ts';

const question = /Which one shall I (?<verb>mark as done|delete|change|look at)\?/u;
const offer = /Shall I show you what is there\?$/u;
const agreement = /^\W*(?:yes|yeah|yep|sure|ok(?:ay)?|please|do(?: it)?|show me)\b.{0,20}$/iu;
const titleQuestion = /What is to be done\?$/u;

/** Whether the user wants to see the offered list. */
export function agrees({ request, lastAnswer }: Conversation): boolean {
  return offer.test(lastAnswer) && agreement.test(request);
}

/** The requests in a message. An answer to the model's question includes the earlier request. */
export function readAnswer({ request, previousRequest, lastAnswer }: Conversation, today: string): TaskRequest[] {
  const requests = taskRequestsIn(request, today);
  const isAnswer = requests.length === 1 && (requests[0]?.kind === 'unclear' || requests[0]?.kind === 'add');
  if (!isAnswer) return requests;
  const reference = request.trim().replace(/[.!?]+$/u, '');
  if (titleQuestion.test(lastAnswer)) return taskRequestsIn(`add a task to ${reference}`, today);
  const verb = question.exec(lastAnswer)?.groups?.verb;
  if (verb === undefined || (requests[0]?.kind === 'add' && /^(?:add|create|remind|new|note)\b/iu.test(reference)))
    return requests;
  if (verb === 'mark as done') return [{ kind: 'complete', reference }];
  if (verb === 'delete') return [{ kind: 'delete', reference }];
  if (verb === 'look at') return [{ kind: 'when', reference }];
  const change = taskRequestsIn(previousRequest, today).find((each) => each.kind === 'update');
  return change ? [{ ...change, reference }] : requests;
}
