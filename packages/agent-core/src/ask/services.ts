import type { AskCoverage, Citation, SavedView, SavedViewBody } from '@docwright/contract';
import type { CallOrigin } from '../tool/tool.ts';
import type { AggregateEvidence, Evidence } from '@docwright/claims';
import type { Locale } from '../turns/locale-lines.ts';

/** The newest result of a prompt for one document. */
export interface AskResult {
  document_id: string;
  document_name: string;
  result: Record<string, unknown>;
  /** Paths of values that a check or the model doubts. */
  at_risk: readonly string[];
  is_complete: boolean;
}

/** Places of the values of a result, by path. */
export type AskPlaces = Readonly<Record<string, { page_num: number; boxes: Citation['boxes']; quote?: string }>>;

/** What a query asks of the results of a prompt. */
export interface AskQuery {
  prompt_id: string;
  where: string;
  columns: readonly string[];
  group_by: readonly string[];
  aggregate: readonly { op: AggregateEvidence['op']; path: string }[];
  sort?: string | undefined;
  limit: number;
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

/** A run that a question has started. */
export interface AskRun {
  run_id: string;
  documents: number;
}

/** How many documents a question is about, and how many of them cannot be read by a model. */
export type AskScopeSize = Pick<AskCoverage, 'documents' | 'unread' | 'hidden' | 'trashed' | 'unindexed' | 'too_large'>;

/** What the tools of a question reach: the documents of its scope alone. A missing object is a DomainError. */
export interface AskServices {
  size(): Promise<AskScopeSize>;
  documents(): Promise<readonly { id: string; name: string }[]>;
  prompts(): Promise<readonly AskPrompt[]>;
  results(prompt_id: string): Promise<readonly AskResult[]>;
  /** The places of the values of some documents. */
  places(prompt_id: string, document_ids: readonly string[]): Promise<ReadonlyMap<string, AskPlaces>>;
  /** The views of Results that the user sees. Saving replaces the user's view of the same name. */
  readonly views: {
    list(prompt_id: string): Promise<readonly Pick<SavedView, 'id' | 'name'>[]>;
    save(prompt_id: string, view: SavedViewBody): Promise<Pick<SavedView, 'id' | 'name'>>;
  };
  /** Runs of a prompt over many documents. The call's id is that of the run: started again, it is the same run. */
  readonly runs: {
    estimate(
      prompt_id: string,
      document_ids: readonly string[],
    ): Promise<{ name: string; requests: number; spu: number }>;
    start(prompt_id: string, document_ids: readonly string[], origin: CallOrigin): Promise<AskRun>;
    /** The run that a call has started. */
    startedBy(call_id: string): Promise<AskRun | undefined>;
  };
  /** Holds the scope itself, once the query is embedded: an endpoint can take seconds. */
  search(
    query: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ passages: readonly AskPassage[]; matched_documents: number }>;
  pages(document_id: string, from: number, to: number): Promise<readonly AskPassage[]>;
  /**
   * Runs what reads the documents and results of the scope. They are in memory until it ends; few questions have theirs
   * there at once, so others can be waited for first, until the signal of the turn aborts. Work waits for no endpoint.
   */
  hold<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** The locale of the user, as in `Accept-Language`. */
  readonly locale?: string | undefined;
  /** Time zone and language of the organization. */
  organizationLocale?(): Promise<Locale>;
  /** What the calls of the conversation have shown. The tools fill it. */
  readonly shown: AskShown;
}

/** A call of the conversation. */
export interface AskCall {
  readonly name: string;
  readonly arguments: string;
  /** The call belongs to the turn that runs. */
  readonly isOfTurn: boolean;
}

/** What the calls of a conversation have shown to the model, by id. */
export interface AskShown {
  readonly evidence: Map<string, Evidence>;
  /** The query that a cell or aggregate comes from, by its id. */
  readonly queries: Map<string, AskQuery>;
  /** The queried prompts of the turn, each with its paths. */
  readonly queried: Map<string, Set<string>>;
  /** The calls that have shown something here. */
  readonly calls: Set<string>;
  /** Calls that ran with other services: in an earlier turn, or before a pause. They run again when they are cited. */
  earlier: readonly AskCall[];
}

/**
 * The start of a question: nothing has been shown yet.
 *
 * @example
 * import { nothingShown } from '@docwright/agent-core';
 *
 * console.log(nothingShown().evidence.size); // 0
 */
export const nothingShown = (): AskShown => ({
  evidence: new Map(),
  queries: new Map(),
  queried: new Map(),
  calls: new Set(),
  earlier: [],
});
