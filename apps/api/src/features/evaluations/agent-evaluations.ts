import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentAgentServices } from '@docwright/agent-core';
import { DomainError, type EvaluateBeforeApproval } from '@docwright/contract';
import type { Actor } from '../identity/actor.ts';
import type { CallEvidence } from './call-evidence.ts';
import type { EvaluationService } from './evaluation-service.ts';

const pollEveryMs = 200;
const worstDifferences = 10;

/** What the document agent can measure for one person. */
export function createAgentEvaluations(dependencies: {
  evaluations: (actor: Actor) => EvaluationService;
  evidence: (actor: Actor) => CallEvidence;
  settingsOf: (organizationId: string) => Promise<{ mode: EvaluateBeforeApproval; budgetSpu: number }>;
}): (actor: Actor) => DocumentAgentServices['evaluations'] {
  return (actor) => {
    const evaluations = dependencies.evaluations(actor);
    return {
      ofProposal: (tool, args, { call_id, turn_id = '' }) =>
        dependencies.evidence(actor).ofProposal({ tool, args, call_id, turn_id }),
      async measure(change, signal) {
        const { budgetSpu } = await dependencies.settingsOf(actor.organizationId);
        if (budgetSpu === 0) throw noBudget();
        const { id } = await evaluations.create({ ...change, baseline: 'auto' }, { spu_limit: budgetSpu });
        for (;;) {
          const evaluation = await evaluations.get(id);
          if (evaluation.ended_at !== null) {
            const { differences } = await evaluations.differences(id, { skip: 0, limit: worstDifferences });
            return { evaluation, differences };
          }
          if (signal.aborted) await evaluations.stop(id).catch(() => undefined);
          signal.throwIfAborted();
          await sleep(pollEveryMs);
        }
      },
    };
  };
}

const noBudget = (): DomainError =>
  new DomainError(
    'invalid',
    'evaluation_budget_exhausted',
    'This organization gives no budget to measurements that nobody starts by hand (evaluation_budget_spu is 0). Propose the change; the person can measure it on its card.',
  );
