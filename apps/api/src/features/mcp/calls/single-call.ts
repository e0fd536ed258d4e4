import {
  finishTurn,
  turnAnswerOf,
  type AgentProfile,
  type Decide,
  type LlmClient,
  type RunTurnInput,
  type TurnOwner,
} from '@docwright/agent-core';
import type { TurnAnswer } from '@docwright/contract';
import type { RecordCallsOf } from '../../audit/index.ts';
import type { Actor } from '../../identity/index.ts';
import { emptyWorkingState } from '../../threads/index.ts';

interface SingleCall<Services> {
  profile: AgentProfile<Services>;
  services: Services;
  owner: TurnOwner;
  /** The access token of the call. */
  token: Actor['token'];
  decide: Decide;
  recordCallsOf: RecordCallsOf;
  /** The call's id in the audit log; nothing is stored under it. */
  turnId: string;
  call: { name: string; arguments: string };
}

/** Runs one call through the loop outside of a conversation: checked, decided and recorded like any other. */
export async function runSingleCall<Services>({
  profile,
  services,
  owner,
  token,
  decide,
  recordCallsOf,
  turnId,
  call,
}: SingleCall<Services>): Promise<TurnAnswer> {
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
  const result = await finishTurn(input);
  if (result.status === 'failed') throw result.cause;
  return turnAnswerOf(result);
}

const noModel: LlmClient = {
  stream() {
    throw new Error('A turn of given calls must not call a model.');
  },
};
