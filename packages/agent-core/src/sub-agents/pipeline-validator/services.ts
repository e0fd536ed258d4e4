import type { FailureCategory, JsonObject, Pipeline, PluginInfo } from '@docwright/contract';

interface TriedChunk {
  page_num: number | null;
  text: string;
  heading?: string;
}

/** What became of one document in a dry run. */
export interface TriedDocument {
  document_id: string;
  document_name: string;
  parser?: string;
  pages: number;
  chunks: readonly TriedChunk[];
  failure?: { stage: string; category: string; message: string };
}

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
  /** Throws `no_pipeline` where none was built. */
  pipeline(): Promise<Pipeline>;
  /** Ids spread over all types of the source; at most 50. */
  sample(most: number): Promise<string[]>;
  /** `onProgress` gets the number of finished documents. */
  dryRun(
    pipeline: unknown,
    documentIds: readonly string[],
    signal: AbortSignal,
    onProgress?: (done: number) => void,
  ): Promise<TrialRun>;
  /** What the last validation before this one came to, with the `pipeline` that it tried; null where there was none. */
  before(): Promise<JsonObject | null>;
  /** Of which a pipeline can be made. */
  plugins(): PluginInfo[];
}
