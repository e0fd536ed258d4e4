import { DomainError, type ProposedCall } from '@docwright/contract';
import type { CallEvaluations, MeasurableCall } from '../../evaluations/index.ts';
import type { Actor } from '../../identity/index.ts';

/** Adds the evaluations so far to the previews of an answer's pending calls. */
export type EvidenceOnTurns = <Answer extends { turn_id: string; tool_calls: ProposedCall[] }>(
  actor: Actor,
  answer: Answer,
) => Promise<Answer>;

export function createEvidenceOnTurns(evidence: (actor: Actor) => CallEvaluations): EvidenceOnTurns {
  return async (actor, answer) => {
    const tool_calls = await Promise.all(
      answer.tool_calls.map(async (call): Promise<ProposedCall> => {
        const { preview } = call;
        if (!call.needs_approval || preview?.kind !== 'difference') return call;
        const measurable = measurableCall(answer.turn_id, call);
        const known = await evidence(actor)
          .of(measurable)
          .catch((error: unknown) => {
            // The target of the call no longer exists: the call itself reports that when it runs.
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
