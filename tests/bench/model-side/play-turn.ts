import {
  defaultDecide,
  newCallId,
  runTurn,
  type LlmMessage,
  type RunTurnInput,
  type TurnResult,
} from '@docwright/agent-core';

/** The outcome of a story. */
export interface Played {
  requests: string[];
  /** The requests in order, separately for each conversation and each sub-agent. */
  threads: string[][];
  output: number;
  decisions: number;
  /** Requests that only the current product makes, because the recorded one ended its turns earlier. */
  more?: { what: string; requests: string[] };
}

export function nothingPlayed(): Played {
  return { requests: [], threads: [], output: 0, decisions: 0 };
}

type NewTurn = Pick<RunTurnInput<unknown>, 'decide' | 'recordCalls' | 'signal' | 'turn'>;

/** A turn of a member, with ids of its own and an empty working state. */
export function newTurn(
  messages: LlmMessage[],
  { autoApprove, maxMessages }: { autoApprove: boolean; maxMessages?: number },
): NewTurn {
  return {
    decide: defaultDecide({ role: 'member', autoApprove, autoApprovedTools: [] }),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
    turn: {
      turnId: newCallId(),
      threadId: newCallId(),
      owner: { organizationId: 'a'.repeat(24), documentId: '', userId: 'c'.repeat(24) },
      settings: { model: 'm', mentions: [], autoApprove, autoApprovedTools: [] },
      messages,
      ...(maxMessages !== undefined && { maxMessages }),
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  };
}

/** Runs a turn to its end and approves every pending call. */
export async function playTurn<Services>(
  input: RunTurnInput<Services>,
  played: Pick<Played, 'decisions'>,
): Promise<TurnResult> {
  let result = await drain(runTurn(input));
  while ('pending' in result && result.status === 'awaiting_approval') {
    played.decisions++;
    const approvals = result.pending.batch.calls.map(({ id }) => ({ call_id: id, approved: true }));
    result = await drain(runTurn({ ...input, turn: { pending: result.pending, approvals, answers: [] } }));
  }
  if (result.status !== 'completed') throw new Error(`A turn ended as ${result.status}: ${JSON.stringify(result)}`);
  return result;
}

async function drain(events: AsyncGenerator<unknown, TurnResult>): Promise<TurnResult> {
  for (;;) {
    const step = await events.next();
    if (step.done === true) return step.value;
  }
}
