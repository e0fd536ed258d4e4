import type { AskCoverage, Citation } from '@docwright/contract';
import type { Evidence } from '@docwright/claims';

/** The newest result of a prompt for one document. */
export interface AskResult {
  document_id: string;
  document_name: string;
  result: Record<string, unknown>;
  /** Paths of values that a check or the model doubts. */
  at_risk: readonly string[];
  is_complete: boolean;
  /** Places of values, by path. */
  places?: Readonly<Record<string, { page_num: number; boxes: Citation['boxes'] }>>;
}

/** A prompt with results in the scope. */
export interface AskPrompt {
  prompt_id: string;
  name: string;
}

/** A part of a page that a search found. */
export interface AskPassage {
  document_id: string;
  document_name: string;
  page_num: number;
  text: string;
  boxes?: Citation['boxes'];
}

/** How many documents a question is about, and how many of them cannot be read by a model. */
export type AskScopeSize = Pick<AskCoverage, 'documents' | 'unread' | 'hidden'>;

/** What the tools of a question reach: the documents of its scope alone. A missing object is a DomainError. */
export interface AskServices {
  size(): Promise<AskScopeSize>;
  documents(): Promise<readonly { id: string; name: string }[]>;
  prompts(): Promise<readonly AskPrompt[]>;
  results(prompt_id: string): Promise<readonly AskResult[]>;
  search(query: string, limit: number): Promise<{ passages: readonly AskPassage[]; matched_documents: number }>;
  pages(document_id: string, from: number, to: number): Promise<readonly AskPassage[]>;
  /** The locale of the user, as in `Accept-Language`. */
  readonly locale?: string | undefined;
  /** What the calls of the turn have shown. The tools fill it. */
  readonly shown: AskShown;
}

/** What the calls of one turn have shown to the model, by id. */
export interface AskShown {
  readonly evidence: Map<string, Evidence>;
  /** The queried prompts, each with its paths. */
  readonly queried: Map<string, Set<string>>;
}
