import type { FailureCategory, JsonObject, Pipeline, PluginInfo } from '@docwright/contract';

interface TriedChunk {
  page_num: number | null;
  text: string;
  heading?: string;
}

/** The outcome of one document in a dry run. */
export interface TriedDocument {
  document_id: string;
  document_name: string;
  parser?: string;
  pages: number;
  chunks: readonly TriedChunk[];
  failure?: { stage: string; category: string; message: string };
}

/** The outcome of a dry run: counts, failures by category, and each document. */
export interface TrialRun {
  tested: number;
  succeeded: number;
  failed: number;
  categories: FailureCategory[];
  /** Milliseconds, by stage. */
  timings: Readonly<Record<string, { total: number; slowest: number }>>;
  documents: readonly TriedDocument[];
}

/** The proposed pipeline and its source. Nothing here writes. */
export interface PipelineTrial {
  /** Throws `no_pipeline` if none has been built. */
  pipeline(): Promise<Pipeline>;
  /** Ids of a sample over all types of the source; at most `max`, which is at most 50. */
  sample(max: number): Promise<string[]>;
  /** `onProgress` gets the number of finished documents. */
  dryRun(
    pipeline: unknown,
    documentIds: readonly string[],
    signal: AbortSignal,
    onProgress?: (done: number) => void,
  ): Promise<TrialRun>;
  /** The result of the previous validation with its `pipeline`; null if there is none. */
  before(): Promise<JsonObject | null>;
  /** The plugins for pipelines. */
  plugins(): PluginInfo[];
}
