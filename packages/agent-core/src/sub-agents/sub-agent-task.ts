import type { SubAgentModel } from './sub-agent-model.ts';
import type { EmitStep } from './sub-agent-steps.ts';

/** What a sub-agent is begun with. */
export interface SubAgentTask {
  readonly model: SubAgentModel;
  readonly timeoutMs: number;
  /** What the one who asks wants it to look at; empty for nothing in particular. */
  readonly focus: string;
  readonly signal: AbortSignal;
  readonly emitStep: EmitStep;
}
