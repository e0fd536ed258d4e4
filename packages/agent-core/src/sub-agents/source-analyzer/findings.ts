import { DomainError } from '@docwright/contract';
import { displayName } from '../sub-agent-steps.ts';
import type { FileKind, FileProblems, SampledFile, SourceFiles } from './services.ts';

/** Of a source, however many files it holds: nothing beyond the sample is ever read. */
export const maxSampled = 30;

/** What came of one parser on one file; `characters` where it read it, else a stable code as `reason`. */
interface ParserOutcome {
  document_id: string;
  extension: string;
  plugin_id: string;
  success: boolean;
  characters?: number;
  reason?: string;
  error?: string;
}

/** What the tools of one analysis have found, whatever the model says of it later. */
export interface SourceFindings {
  kinds: FileKind[];
  readonly sampled: Map<string, SampledFile>;
  problems: FileProblems;
  readonly trials: ParserOutcome[];
  readonly languages: Map<string, string>;
  /** What each trial showed, by parser and document. */
  readonly read: Map<string, ReadFile>;
}

/** What came of a file, as the model is shown it. */
export type ReadFile =
  | { pages: number; characters: number; excerpt: string }
  | { pages?: never; reason: string; why: string };

/** What the analyzer's tools may reach. */
export interface SourceAnalyzerServices {
  readonly source: SourceFiles;
  readonly findings: SourceFindings;
}

export function noFindings(): SourceFindings {
  return {
    kinds: [],
    problems: { unreadable: [], copies: [] },
    sampled: new Map(),
    trials: [],
    languages: new Map(),
    read: new Map(),
  };
}

/** For a step: the name of a sampled file, or that it is one. */
export function nameOfFile({ sampled }: SourceFindings, documentId: string): string {
  return displayName(sampled.get(documentId)?.name ?? 'a file');
}

/** Only what was sampled may be looked at: so the source is the only one in reach, and the sample is all that it costs. */
export function sampledFile({ sampled }: SourceFindings, documentId: string): SampledFile {
  const file = sampled.get(documentId);
  if (file !== undefined) return file;
  throw new DomainError('invalid', 'not_sampled', `${documentId} is not in the sample. Use ids from sample_files.`);
}
