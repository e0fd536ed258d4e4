import { DomainError } from '@docwright/contract';
import { displayName } from '../sub-agent-steps.ts';
import type { FileTypeCount, FileProblems, SampledFile, SourceFiles } from './services.ts';

/** Maximum number of files that are read, whatever the size of the source. */
export const maxSampled = 30;

/** The outcome of one parser on one file: `characters` after a success, otherwise a stable code as `reason`. */
interface ParserOutcome {
  document_id: string;
  extension: string;
  plugin_id: string;
  success: boolean;
  characters?: number;
  reason?: string;
  error?: string;
}

/** The facts that the tools of one analysis have collected. */
export interface SourceFindings {
  kinds: FileTypeCount[];
  readonly sampled: Map<string, SampledFile>;
  problems: FileProblems;
  readonly trials: ParserOutcome[];
  readonly languages: Map<string, string>;
  /** Results of trials for the model, by parser and document. */
  readonly read: Map<string, ReadFile>;
}

/** The result of reading a file, for the model. */
export type ReadFile =
  | { pages: number; characters: number; excerpt: string }
  | { pages?: never; reason: string; why: string };

/** The services of the analyzer's tools. */
export interface SourceAnalyzerServices {
  readonly source: SourceFiles;
  readonly findings: SourceFindings;
}

export function createSourceFindings(): SourceFindings {
  return {
    kinds: [],
    problems: { unreadable: [], copies: [] },
    sampled: new Map(),
    trials: [],
    languages: new Map(),
    read: new Map(),
  };
}

/** The name of a sampled file for a step; `a file` if it is unknown. */
export function nameOfFile({ sampled }: SourceFindings, documentId: string): string {
  return displayName(sampled.get(documentId)?.name ?? 'a file');
}

/** Returns a sampled file. Throws for other files, so that a call reaches no other source and the cost stays limited. */
export function sampledFile({ sampled }: SourceFindings, documentId: string): SampledFile {
  const file = sampled.get(documentId);
  if (file !== undefined) return file;
  throw new DomainError('invalid', 'not_sampled', `${documentId} is not in the sample. Use ids from sample_files.`);
}
