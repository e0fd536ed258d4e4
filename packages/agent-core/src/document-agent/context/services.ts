import type {
  CallEvaluation,
  Evaluation,
  EvaluationDifference,
  ResponseFormat,
  Document,
  Extraction,
  LlmModel,
  Prompt,
  ReplaceLevel,
  Schema,
  SchemaCheck,
  SchemaUse,
  SplitAnswer,
  SplitBody,
  SplitProposal,
  Tag,
  ValidationAnswer,
  createPromptBody,
  createSchemaBody,
  createTagBody,
  documentListQuery,
  patchDocumentBody,
  promptListQuery,
  updatePromptBody,
  updateSchemaBody,
  updateTagBody,
} from '@docwright/contract';
import type { z } from 'zod';
import type { ReadContent } from '../../provenance/read-content.ts';
import type { Locale } from '../../turns/locale-lines.ts';
import type { CallOrigin } from '../../tool/tool.ts';
import type { ConversationKind } from './rules.ts';
import type { PageText } from './document-block.ts';

/** The query of a list. */
interface NamedListQuery {
  skip: number;
  limit: number;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
  name_search?: string | undefined;
}

/** One page of a list; `total_count` is the number of all matches, of a long list a minimum. */
export type Listed<Plural extends string, Item> = Record<Plural, Item[]> & {
  total_count: number;
  total_is_minimum?: true | undefined;
  skip: number;
  limit: number;
  /** Absent on the last page. */
  next_cursor?: string | undefined;
};

/** Schemas of the organization. A missing id is a DomainError of kind `not_found`. */
export interface AgentSchemas {
  get(schema_revid: string): Promise<Schema>;
  /** The newest revision. */
  getCurrent(schema_id: string): Promise<Schema>;
  list(query: NamedListQuery): Promise<Listed<'schemas', Schema>>;
  /** The prompts that use a schema, also those of a pending proposal. */
  use(schema_id: string): Promise<SchemaUse>;
  create(body: z.infer<typeof createSchemaBody>, origin: CallOrigin): Promise<Schema>;
  update(schema_id: string, body: z.infer<typeof updateSchemaBody>, origin: CallOrigin): Promise<Schema>;
  /** Refused while a current prompt uses the schema. */
  delete(schema_id: string, origin: CallOrigin): Promise<void>;
  /** Checks a response format, or only its inner schema, against the product's rules. Writes nothing. */
  checkFormat(responseFormatOrSchema: unknown, checks?: readonly SchemaCheck[]): ValidationAnswer;
  checkData(schema_revid: string, data: unknown): Promise<ValidationAnswer>;
}

/** Prompts of the organization. A missing id is a DomainError of kind `not_found`. */
export interface AgentPrompts {
  get(prompt_revid: string): Promise<Prompt>;
  /** The newest revision. */
  getCurrent(prompt_id: string): Promise<Prompt>;
  /** `document_id` keeps the prompts that apply to that document by tag. */
  list(query: z.infer<typeof promptListQuery>): Promise<Listed<'prompts', Prompt>>;
  /** The prompt for an extraction that names none. */
  defaultFor(document_id: string): Promise<Prompt | undefined>;
  create(body: z.infer<typeof createPromptBody>, origin: CallOrigin): Promise<Prompt>;
  update(prompt_id: string, body: z.infer<typeof updatePromptBody>, origin: CallOrigin): Promise<Prompt>;
  delete(prompt_id: string, origin: CallOrigin): Promise<void>;
}

/** Tags of the organization. A missing id is a DomainError of kind `not_found`. */
export interface AgentTags {
  get(tag_id: string): Promise<Tag>;
  list(query: NamedListQuery): Promise<Listed<'tags', Tag>>;
  create(body: z.infer<typeof createTagBody>, origin: CallOrigin): Promise<Tag>;
  update(tag_id: string, body: z.infer<typeof updateTagBody>, origin: CallOrigin): Promise<Tag>;
  /** Refused while an object has the tag. */
  delete(tag_id: string, origin: CallOrigin): Promise<void>;
}

/** A part of a page in fractions 0–1 of its width and height, origin top left. */
export interface PageRegion {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A rendered page, or a part of one. */
export interface PageImage {
  /** A data URL of at most 1 MB that `checkedImage` accepts. */
  url: string;
  /** In pixels. */
  width: number;
  /** In pixels. */
  height: number;
}

/** Documents of the organization, including the chat's own. A missing id is a DomainError of kind `not_found`. */
export interface AgentDocuments {
  get(document_id: string): Promise<Document>;
  list(query: z.infer<typeof documentListQuery>): Promise<Listed<'documents', Document>>;
  /** The layout text of all pages, or of one page. Empty until the text has been read. */
  text(document_id: string, page_num?: number): Promise<PageText[]>;
  /** The text page by page, so that a long document is never completely in memory. */
  eachText(document_id: string): AsyncIterable<PageText>;
  /**
   * A page, or a part of it, as an image of at most 1 MB. Throws a DomainError `conflict` (`no_page_image`) for files
   * without a page layout.
   */
  image?(document_id: string, page_num: number, region?: PageRegion): Promise<PageImage>;
  update(document_id: string, body: z.infer<typeof patchDocumentBody>, origin: CallOrigin): Promise<Document>;
  /** `restored_since`: the call has deleted it before, and a user has restored it. */
  delete(document_id: string, origin: CallOrigin): Promise<{ restored_since: true } | undefined>;
  /** Finds the documents inside a PDF; `invalid` (`cannot_split`) for other files. Writes nothing. */
  proposeSplit(document_id: string): Promise<SplitProposal>;
  /** Creates documents from pages; the original stays. */
  split(document_id: string, parts: SplitBody['parts'], origin: CallOrigin): Promise<SplitAnswer>;
}

/** Extractions of the organization. A missing document or prompt is a DomainError of kind `not_found`. */
export interface AgentExtractions {
  /** The extractions of one document, last changed first. */
  list(document_id: string, page: { skip: number; limit: number }): Promise<Listed<'extractions', Extraction>>;
  /** The newest result of the document, or of a prompt revision; undefined if none exists. */
  latest(document_id: string, prompt_revid?: string): Promise<Extraction | undefined>;
  /** Estimates the cost of a run in service processing units (SPU); nothing runs. */
  estimate(
    document_id: string,
    prompt_revid: string,
  ): Promise<{ requests: number; pages: number; spu_estimated: number }>;
  /**
   * Without a prompt, uses the newest one that applies by tag, otherwise the newest one made for this document, otherwise
   * throws `invalid`. Throws `conflict` (`result_edited`, `result_verified`) if it would replace a reviewed result that
   * `replace` does not allow.
   */
  run(
    document_id: string,
    prompt_revid: string | undefined,
    origin: CallOrigin,
    signal: AbortSignal,
    replace?: ReplaceLevel,
  ): Promise<Extraction>;
  /** Changes one field by its dotted path; `conflict` if `base_version` is not the current version. */
  updateField(
    document_id: string,
    prompt_revid: string,
    change: { path: string; value: unknown; base_version: number },
    origin: CallOrigin,
  ): Promise<Extraction>;
  /**
   * Releases a version. `conflict` if it is not the newest (`version_conflict`), or if it is incomplete, fails a check or waits
   * (`release_blocked`). A version that is released stays as it is.
   */
  release(
    document_id: string,
    prompt_revid: string,
    body: { version: number },
    origin: CallOrigin,
  ): Promise<Extraction>;
}

/** A change to a prompt to measure; omitted fields stay as they are. */
interface ChangeToMeasure {
  prompt_id: string;
  content?: string | undefined;
  response_format?: ResponseFormat | undefined;
  model?: string | undefined;
  max_documents?: number | undefined;
}

/** Measures the effect of changes to prompts and schemas on verified results. */
export interface AgentEvaluations {
  /**
   * The evaluation of a proposed call; undefined if none exists. Starts a measurement if the organization measures every
   * such call.
   */
  ofProposal(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    origin: CallOrigin,
  ): Promise<CallEvaluation | undefined>;
  /** The number of documents that `measure` would take, and the number above which the organization wants to be asked. */
  size(change: ChangeToMeasure): Promise<{ documents: number; askAbove: number }>;
  /** Measures a change within the organization's limit for automatic evaluations; the worst differences come first. */
  measure(
    change: ChangeToMeasure,
    signal: AbortSignal,
  ): Promise<{ evaluation: Evaluation; differences: EvaluationDifference[] }>;
}

/**
 * The services of the document agent's tools. The server creates them for one organization, user and document, so that a
 * call cannot reach others. A DomainError becomes the call's error; any other error ends the turn.
 */
export interface DocumentAgentServices {
  readonly document: { readonly id: string; readonly name: string };
  /** The kind of the conversation; by default one with a user who has all rights. */
  readonly conversation?: ConversationKind;
  /** Of calls that a program makes, without a conversation. */
  readonly program?: {
    /** What the program was given before, the newest last. */
    read(): Promise<readonly ReadContent[]>;
    /** The program names the document of the call. */
    readonly namesDocument: boolean;
  };
  /** Waits while the document's text is being read, up to a limit: a person often asks right after the upload. */
  untilRead?(): Promise<void>;
  /** The current time; the machine's clock by default. */
  now?(): Date;
  /** Time zone and language of the organization, for requests that name none. */
  locale?(): Promise<Locale>;
  readonly schemas: AgentSchemas;
  readonly prompts: AgentPrompts;
  readonly tags: AgentTags;
  readonly documents: AgentDocuments;
  readonly extractions: AgentExtractions;
  readonly evaluations: AgentEvaluations;
  readonly models: {
    list(): Promise<LlmModel[]>;
    /** Whether a model accepts images; by default none does. */
    canSee?(model: string): Promise<boolean>;
  };
  /** The user's own conversations on a document. */
  readonly threads: {
    list(
      document_id: string,
      page: { skip: number; limit: number },
    ): Promise<Listed<'threads', { id: string; title: string }>>;
  };
}
