import { rowsBehind, type AskServices } from '@docwright/agent-core';
import { DomainError, type AskRows, type AskScope, type Thread, type ThreadMessage } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';

/** The rows behind a citation of a conversation. `question` counts its questions from 0; without it the newest is meant. */
export type AskRowsOf = (
  actor: Actor,
  threadId: string,
  of: { id: string; question?: number | undefined; skip?: number; limit?: number },
) => Promise<AskRows>;

/** Runs the calls of a conversation again, over the documents of the question, to find what a citation rests on. */
export function createAskRows(
  threadsOf: (actor: Actor) => Promise<{ get(threadId: string): Promise<Pick<Thread, 'messages'>> }>,
  servicesFor: (actor: Actor, ask: { scope?: AskScope | undefined }) => AskServices,
): AskRowsOf {
  return async (actor, threadId, { id, question, ...page }) => {
    const { messages } = await (await threadsOf(actor)).get(threadId);
    const questions = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
    const asked = questions[question ?? questions.length - 1];
    const next = question === undefined ? undefined : questions[question + 1];
    const services = servicesFor(actor, { scope: asked === undefined ? undefined : messages[asked]!.scope });
    services.shown.earlier = callsOf(messages.slice(0, next), asked ?? 0);
    const found = await rowsBehind(services, id, page);
    if (found === undefined) {
      const message = 'Nothing in this conversation has that id, or its documents have changed. Ask again.';
      throw new DomainError('not_found', 'citation_not_found', message);
    }
    return found;
  };
}

/** The successful calls up to an answer; those of its own question are needed first. */
function callsOf(messages: readonly ThreadMessage[], asked: number): AskServices['shown']['earlier'] {
  const succeeded = new Set(messages.flatMap(({ success, tool_call_id }) => (success === true ? tool_call_id : [])));
  return messages.flatMap(({ tool_calls = [] }, at) =>
    tool_calls.flatMap(({ id, name, arguments: args }) =>
      succeeded.has(id) ? [{ name, arguments: args, isOfTurn: at > asked }] : [],
    ),
  );
}
