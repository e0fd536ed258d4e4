import {
  runTurn,
  turnAnswerOf,
  type AgentProfile,
  type Decide,
  type LlmClient,
  type RunTurnInput,
  type TurnOwner,
} from '@docwright/agent-core';
import type { TurnAnswer } from '@docwright/contract';
import type { RecordCallsOf } from '../audit/turn-audit.ts';
import type { Actor } from '../identity/actor.ts';
import { emptyWorkingState } from '../threads/thread-service.ts';

export interface CallAlone<Services> {
  profile: AgentProfile<Services>;
  services: Services;
  owner: TurnOwner;
  /** The access token that the call came with. */
  token: Actor['token'];
  decide: Decide;
  recordCallsOf: RecordCallsOf;
  /** Names the call in the audit log; nothing is stored under it. */
  turnId: string;
  call: { name: string; arguments: string };
}

/** Runs one call through the loop outside of a conversation: it is checked, decided on and written down as any other. */
export async function runAlone<Services>(alone: CallAlone<Services>): Promise<TurnAnswer> {
  const { profile, services, owner, token, decide, recordCallsOf, turnId, call } = alone;
  const given = { via: 'mcp' as const, calls: [call], areOfDocument: owner.documentId !== '' };
  const input: RunTurnInput<Services> = {
    profile,
    services,
    decide,
    llm: noModel,
    recordCalls: recordCallsOf(owner, { turnId, threadId: turnId, via: given.via, ...(token && { token }) }),
    signal: new AbortController().signal,
    turn: {
      turnId,
      threadId: turnId,
      owner,
      settings: { model: '', mentions: [], autoApprove: false, autoApprovedTools: [], given },
      messages: [],
      workingState: emptyWorkingState,
    },
  };
  const events = runTurn(input);
  let step = await events.next();
  while (step.done !== true) step = await events.next();
  if (step.value.status === 'failed') throw step.value.cause;
  return turnAnswerOf(step.value);
}

const noModel: LlmClient = {
  stream() {
    throw new Error('A turn of given calls asks no model.');
  },
};
