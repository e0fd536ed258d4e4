import type { PermissionRequest, Decide, DocumentAgentServices, Toolset } from '@docwright/agent-core';
import { DomainError, type OnAsk } from '@docwright/contract';
import { decideUnattended, keptResultMessages } from '../permission-rules/index.ts';
import type { HeadlessKind } from './headless-queue.ts';

interface HeadlessPermissions {
  decide: Decide;
  /** The services, with extractions counted to limit a proposal's refinements. */
  services: DocumentAgentServices;
  /** The reason why an extraction kept an existing result: a user has verified or edited it. */
  keptResult: () => KeptResult | undefined;
}

/** A result that a user corrected and an extraction therefore kept. */
export interface KeptResult {
  code: keyof typeof keptResultMessages;
  message: string;
}

interface HeadlessPermissionOptions {
  kind: HeadlessKind;
  tools: Toolset<DocumentAgentServices>;
  services: DocumentAgentServices;
  /** Decides by rules, role and the turn's own approvals. */
  decide: Decide;
  /** Whether a call that needs approval is parked or denied. */
  onAsk: OnAsk;
  /** Throws if this worker has lost the run. */
  requireLease: () => Promise<void>;
  /** Throws if another run creates the same kind. */
  requireCreationTurn?: (name: string) => Promise<void>;
}

/** The first extraction and two refinements. */
const maxExtractions = 3;

/** The tools of a refinement: after the last extraction, nothing changes that would require another. */
const refining = new Set(['run_extraction', 'update_schema', 'update_prompt']);

const creating = new Set(['create_schema', 'create_prompt']);

/**
 * Permissions without a user: only calls that rules allow at once run. A call that needs approval or an answer is
 * denied, and so is a third refinement of a proposal. Checked before each call, so that a worker that has lost the run
 * stops.
 */
export function createHeadlessPermissions({
  kind,
  tools,
  services,
  decide,
  requireLease,
  onAsk,
  requireCreationTurn,
}: HeadlessPermissionOptions): HeadlessPermissions {
  let extractions = 0;
  let keptResult: KeptResult | undefined;
  const decideWithoutUser = decideUnattended(decide, undefined, {
    onAsk,
    awaitsAnswers: (tool) => tools.get(tool)?.awaitsAnswers === true,
  });

  function refusal({ tool }: PermissionRequest): string | undefined {
    if (tools.get(tool)?.needsUser === true) return 'Only a user does this. Say in the end what is left to do.';
    if (kind === 'auto_create' && extractions >= maxExtractions && refining.has(tool)) {
      return 'The proposal was refined twice, which is the limit. Summarize the result.';
    }
    return undefined;
  }

  return {
    async decide(call) {
      await requireLease();
      const permission = await decideWithoutUser(call);
      if (permission.effect === 'deny') {
        const code = call.guardReason;
        if (isKept(code)) keptResult = { code, message: keptResultMessages[code] };
        return permission;
      }
      if (kind === 'auto_create' && creating.has(call.tool)) {
        const { name } = call.args;
        await requireCreationTurn?.(typeof name === 'string' ? name : '');
      }
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
            if (isResultKept(error)) keptResult = { code: error.code, message: keptResultMessages[error.code] };
            throw error;
          }
        },
      },
    },
    keptResult: () => keptResult,
  };
}

/** Whether the guard keeps a result. */
function isKept(reason: PermissionRequest['guardReason']): reason is KeptResult['code'] {
  return reason !== undefined && Object.hasOwn(keptResultMessages, reason);
}

/** Whether a user reviewed the result while the model worked. */
function isResultKept(error: unknown): error is DomainError & { code: KeptResult['code'] } {
  return error instanceof DomainError && Object.hasOwn(keptResultMessages, error.code);
}
