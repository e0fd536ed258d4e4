import type { Conversation } from './conversation.ts';
import { createAndExtract } from './create-and-extract.ts';
import { introduceYourself } from './introduce-yourself.ts';
import type { Plan } from './plan.ts';
import { runExtraction } from './run-extraction.ts';

/** Chooses the plan for what the person's last message asks for. */
export function planFor(conversation: Conversation): Plan | string {
  const { request, workingState } = conversation;
  const wantsSchema =
    /\b(?:schema|schéma|template|fields?|structure)\b/iu.test(request) &&
    /\b(?:creat|make|build|design|propose|suggest|set ?up|generate|draft|new|erstell|anleg|cré)/iu.test(request);
  const wantsExtraction =
    /\b(?:extract|extrah|extrai|read out|pull|get the (?:data|values|fields)|capture|auslesen)/iu.test(request);
  if (wantsSchema) return createAndExtract(conversation, wantsExtraction);
  if (wantsExtraction && workingState.promptRevid !== null) return runExtraction(workingState.promptRevid, '');
  if (wantsExtraction) return createAndExtract(conversation, true);
  return introduceYourself(request);
}
