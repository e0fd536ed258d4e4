import { DomainError, type ProposedCall } from '@docwright/contract';
import type { CallEvidence, MeasurableCall } from '../evaluations/call-evidence.ts';
import type { Actor } from '../identity/actor.ts';

/** Puts on the cards of an answer what is known by now of the effect of its calls. */
export type EvidenceOnTurns = <Answer extends { turn_id: string; tool_calls: ProposedCall[] }>(
  actor: Actor,
  answer: Answer,
) => Promise<Answer>;

export function createEvidenceOnTurns(evidence: (actor: Actor) => CallEvidence): EvidenceOnTurns {
  return async (actor, answer) => {
    const tool_calls = await Promise.all(
      answer.tool_calls.map(async (call): Promise<ProposedCall> => {
        const { preview } = call;
        if (!call.needs_approval || preview?.kind !== 'difference') return call;
        const measurable = measurableCall(answer.turn_id, call);
        const known = await evidence(actor)
          .of(measurable)
          .catch((error: unknown) => {
            // What the call changes is no longer there: the call says so itself when it runs.
            if (error instanceof DomainError) return undefined;
            throw error;
          });
        return known ? { ...call, preview: { ...preview, evaluation: known } } : call;
      }),
    );
    return { ...answer, tool_calls };
  };
}

export const measurableCall = (
  turn_id: string,
  { id, name, arguments: text }: Pick<ProposedCall, 'id' | 'name' | 'arguments'>,
): MeasurableCall => ({ tool: name, args: JSON.parse(text) as MeasurableCall['args'], turn_id, call_id: id });
