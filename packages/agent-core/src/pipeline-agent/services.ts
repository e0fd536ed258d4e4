import type { Pipeline, PluginInfo, PluginKind, SubAgentResult, Uncertainty } from '@docwright/contract';
import type { PipelineTrial } from '../sub-agents/pipeline-validator/services.ts';
import type { SourceFiles } from '../sub-agents/source-analyzer/services.ts';
import type { SubAgentModel } from '../sub-agents/sub-agent-model.ts';
import type { EmitStep } from '../sub-agents/sub-agent-steps.ts';

/** A pipeline to begin with. */
export interface PipelineTemplate {
  readonly id: string;
  readonly name: string;
  /** Which sources it is for. */
  readonly description: string;
  readonly pipeline: Pipeline;
}

/** A prompt of the organization, by which a pipeline can extract fields. Its names are data. */
export interface OfferedPrompt {
  /** What `extract` of a pipeline takes. */
  readonly prompt_revid: string;
  readonly name: string;
  /** The fields of its schema, the outermost ones. */
  readonly fields: readonly string[];
}

/** What a conversation has come to, as the agent sees it. */
interface PipelineState {
  readonly source: { readonly id: string; readonly name: string; readonly document_count: number };
  readonly current_pipeline: Pipeline | null;
  readonly source_analysis: Record<string, unknown> | null;
  /** What the last validation came to, and whether it was of the pipeline as it is now; null before the first. */
  readonly last_validation: Record<string, unknown> | null;
  readonly uncertainties: readonly Uncertainty[];
}

/** The one conversation that the agent works in. There is no way from here to another one, or to another's source. */
interface PipelineConversation {
  state(): Promise<PipelineState>;
  /** Which extensions the source's files have. */
  extensions(): Promise<string[]>;
  /** Checks the pipeline, keeps it and gives it complete. A DomainError says what does not fit. */
  build(given: unknown): Promise<Pipeline>;
  /** What was said in messages that the model is not given any more. */
  readonly summary: string | null;
}

/** What sub-agents work with, and where their steps are emitted. */
interface SubAgents {
  readonly source: SourceFiles;
  readonly trial: PipelineTrial;
  readonly model: SubAgentModel;
  readonly timeoutMs: number;
  /** Runs a sub-agent, emits its start, its steps and its end, and stores its result. */
  told(agentId: string, run: (emitStep: EmitStep) => Promise<SubAgentResult>): Promise<SubAgentResult>;
}

/** What the pipeline agent's tools may reach. */
export interface PipelineAgentServices {
  readonly conversation: PipelineConversation;
  readonly subAgents: SubAgents;
  plugins(kind?: PluginKind): PluginInfo[];
  templates(): PipelineTemplate[];
  /** All that have a schema, the newest first. */
  prompts(): Promise<OfferedPrompt[]>;
}
