import type { ServerContext } from '@modelcontextprotocol/server';
import { setTimeout as sleep } from 'node:timers/promises';
import { approvalForm } from './approval-question.ts';
import type { Actor } from '../identity/actor.ts';
import type { CallOutcome, CallToDecide } from './call-outcome.ts';
import type { Admit, McpCallService } from './mcp-call-service.ts';

/** How long a person is waited for on an open response; the card in the web app stands longer. */
const askForMs = 5 * 60_000;
const pollMs = 1_000;

/**
 * Puts the question to the person through a client that is asked in the middle of a call. Whoever decides first counts:
 * when the card in the web app is decided, the question is taken back. Where nobody answers, the call goes on waiting;
 * one that the client cancels is rejected.
 */
export async function askWhileWaiting(
  calls: McpCallService,
  { actor, admit, isCancelled }: { actor: Actor; admit: Admit; isCancelled: (requestId: unknown) => Promise<boolean> },
  {
    context,
    waiting,
    message,
    outcome,
  }: { context: ServerContext; waiting: CallToDecide; message: string; outcome: CallOutcome },
): Promise<CallOutcome> {
  const ended = new AbortController();
  const form = { mode: 'form' as const, message, requestedSchema: approvalForm };
  const { id: relatedRequestId, signal, elicitInput } = context.mcpReq;
  const options = { relatedRequestId, timeout: askForMs, signal: AbortSignal.any([ended.signal, signal]) };
  const asked = elicitInput(form, options).then(
    ({ action }) => action,
    () => 'cancel' as const,
  );
  const elsewhere = decidedElsewhere(ended.signal);
  const first = await Promise.race([asked, elsewhere]);
  ended.abort();
  if (typeof first !== 'string') return first;
  // What its client no longer wants is not left to be approved by accident.
  if (await isCancelled(relatedRequestId)) return calls.decide(actor, waiting, false, admit);
  if (first !== 'cancel') return calls.decide(actor, waiting, first === 'accept', admit);
  const now = await calls.outcome(actor, waiting);
  return now.kind === 'waiting' ? outcome : now;

  async function decidedElsewhere(isOver: AbortSignal): Promise<CallOutcome> {
    for (;;) {
      await sleep(pollMs, undefined, { signal: isOver }).catch(() => undefined);
      if (isOver.aborted) return outcome;
      const now = await calls.outcome(actor, waiting);
      if (now.kind !== 'waiting') return now.kind === 'running' ? calls.outcome(actor, waiting, 60) : now;
    }
  }
}
