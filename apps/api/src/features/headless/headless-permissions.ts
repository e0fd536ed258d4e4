import type { PermissionRequest, Decide, DocumentAgentServices, Toolset } from '@docwright/agent-core';
import { DomainError, type OnAsk } from '@docwright/contract';
import { decideUnattended, keptResults } from '../permission-rules/index.ts';
import type { HeadlessKind } from './headless-queue.ts';

interface HeadlessPermissions {
  decide: Decide;
  /** The services with extractions counted, by which a proposal's refinements are. */
  services: DocumentAgentServices;
  /** Why an extraction left a result as it is: a person has verified or edited it. */
  kept: () => KeptResult | undefined;
}

/** A result that a person made right and that an extraction therefore left alone. */
export interface KeptResult {
  code: keyof typeof keptResults;
  message: string;
}

interface HeadlessPermissionOptions {
  kind: HeadlessKind;
  tools: Toolset<DocumentAgentServices>;
  services: DocumentAgentServices;
  /** What rules, role and the turn's own allowance say. */
  decide: Decide;
  /** Whether a call that would have to ask waits for a person, or is denied. */
  onAsk: OnAsk;
  /** Throws where this worker may no longer do anything for the run. */
  requireHeld: () => Promise<void>;
  /** Throws where another run makes the kind that this one would create. */
  requireTurnToCreate?: () => Promise<void>;
}

/** The first extraction and two after refining. */
const maxExtractions = 3;

/** What makes up a refinement: after the last extraction nothing is changed that would need another. */
const refining = new Set(['run_extraction', 'update_schema', 'update_prompt']);

const creating = new Set(['create_schema', 'create_prompt']);

/**
 * What may run where nobody watches: what the rules allow at once. A call that would need a decision or an answer is
 * denied, and so is a third refinement of a proposal. Asked before each call runs, so that a worker that has lost the run
 * stops there.
 */
export function createHeadlessPermissions({
  kind,
  tools,
  services,
  decide,
  requireHeld,
  onAsk,
  requireTurnToCreate,
}: HeadlessPermissionOptions): HeadlessPermissions {
  let extractions = 0;
  let kept: KeptResult | undefined;
  const unwatched = decideUnattended(decide, undefined, {
    onAsk,
    awaitsAnswers: (tool) => tools.get(tool)?.awaitsAnswers === true,
  });

  function refusal({ tool }: PermissionRequest): string | undefined {
    if (kind === 'auto_create' && extractions >= maxExtractions && refining.has(tool)) {
      return 'The proposal has been refined twice, which is as often as it may be. Sum up what there is.';
    }
    return undefined;
  }

  return {
    async decide(call) {
      await requireHeld();
      const permission = await unwatched(call);
      if (permission.effect === 'deny') {
        const code = call.guardReason;
        if (code !== undefined) kept = { code, message: keptResults[code] };
        return permission;
      }
      if (kind === 'auto_create' && creating.has(call.tool)) await requireTurnToCreate?.();
      const message = refusal(call);
      return message === undefined ? permission : { effect: 'deny', message };
    },
    services: {
      ...services,
      extractions: {
        ...services.extractions,
        async run(...extraction) {
          extractions += 1;
          try {
            return await services.extractions.run(...extraction);
          } catch (error) {
            if (isKept(error)) kept = { code: error.code, message: keptResults[error.code] };
            throw error;
          }
        },
      },
    },
    kept: () => kept,
  };
}

/** Somebody reviewed the result while the model worked. */
function isKept(error: unknown): error is DomainError & { code: KeptResult['code'] } {
  return error instanceof DomainError && Object.hasOwn(keptResults, error.code);
}
