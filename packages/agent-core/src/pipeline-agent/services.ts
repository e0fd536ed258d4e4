import type { Pipeline, PluginInfo, PluginKind, SubAgentResult, Uncertainty } from '@docwright/contract';
import type { PipelineTrial } from '../sub-agents/pipeline-validator/services.ts';
import type { SourceFiles } from '../sub-agents/source-analyzer/services.ts';
import type { SubAgentModel } from '../sub-agents/sub-agent-model.ts';
import type { EmitStep } from '../sub-agents/sub-agent-steps.ts';
import type { Locale } from '../turns/locale-lines.ts';

/** A complete pipeline as a starting point. */
export interface PipelineTemplate {
  readonly id: string;
  readonly name: string;
  /** The sources it is suitable for. */
  readonly description: string;
  readonly pipeline: Pipeline;
}

/** A prompt of the organization that a pipeline can extract fields with. Its names are untrusted data. */
export interface OfferedPrompt {
  /** The value for `extract` of a pipeline. */
  readonly prompt_revid: string;
  readonly name: string;
  /** The top-level fields of its schema. */
  readonly fields: readonly string[];
}

/** The state of a conversation, for the agent. */
interface PipelineState {
  readonly source: { readonly id: string; readonly name: string; readonly document_count: number };
  readonly current_pipeline: Pipeline | null;
  readonly source_analysis: Record<string, unknown> | null;
  /** The result of the last validation, and whether it is of the current pipeline; null before the first one. */
  readonly last_validation: Record<string, unknown> | null;
  readonly uncertainties: readonly Uncertainty[];
}

/** The agent's conversation. It gives no access to other conversations or sources. */
interface PipelineConversation {
  state(): Promise<PipelineState>;
  /** The extensions of the source's files. */
  extensions(): Promise<string[]>;
  /** Checks and stores the pipeline, and returns it complete. Throws a DomainError if it is invalid. */
  build(given: unknown): Promise<Pipeline>;
  /** A summary of messages that are no longer sent to the model. */
  readonly summary: string | null;
}

/** The dependencies of sub-agents. */
interface SubAgents {
  readonly source: SourceFiles;
  readonly trial: PipelineTrial;
  readonly model: SubAgentModel;
  readonly timeoutMs: number;
  /** Runs a sub-agent, emits its start, its steps and its end, and stores its result. */
  runAndStore(agentId: string, run: (emitStep: EmitStep) => Promise<SubAgentResult>): Promise<SubAgentResult>;
}

/** The services of the pipeline agent's tools. */
export interface PipelineAgentServices {
  readonly conversation: PipelineConversation;
  readonly subAgents: SubAgents;
  plugins(kind?: PluginKind): PluginInfo[];
  templates(): PipelineTemplate[];
  /** The prompts with a schema, the newest first. */
  prompts(): Promise<OfferedPrompt[]>;
  /** Where and in which language the organization reads; a request can say it itself. */
  locale?(): Promise<Locale>;
}
