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
import type { WriteOrigin } from '../../tool/tool.ts';
import type { ConversationKind } from './rules.ts';
import type { PageText } from './document-block.ts';

/** What a list is asked for; `skip` and `limit` are always given. */
interface NamedListQuery {
  skip: number;
  limit: number;
  name_search?: string | undefined;
}

/** One page of a list; `total_count` counts all that matches. */
export type Listed<Plural extends string, Item> = Record<Plural, Item[]> & {
  total_count: number;
  skip: number;
  limit: number;
};

/** Schemas of the organization. A missing id is a DomainError of kind `not_found`. */
export interface SchemaService {
  get(schema_revid: string): Promise<Schema>;
  /** The newest revision. */
  getCurrent(schema_id: string): Promise<Schema>;
  list(query: NamedListQuery): Promise<Listed<'schemas', Schema>>;
  create(body: z.infer<typeof createSchemaBody>, origin: WriteOrigin): Promise<Schema>;
  update(schema_id: string, body: z.infer<typeof updateSchemaBody>, origin: WriteOrigin): Promise<Schema>;
  /** Refused while a current prompt uses the schema. */
  delete(schema_id: string, origin: WriteOrigin): Promise<void>;
  /** Holds a response format, or the inner schema alone, against the product's rules; writes nothing. */
  checkFormat(responseFormatOrSchema: unknown, checks?: readonly SchemaCheck[]): ValidationAnswer;
  checkData(schema_revid: string, data: unknown): Promise<ValidationAnswer>;
}

/** Prompts of the organization. A missing id is a DomainError of kind `not_found`. */
export interface PromptService {
  get(prompt_revid: string): Promise<Prompt>;
  /** The newest revision. */
  getCurrent(prompt_id: string): Promise<Prompt>;
  /** `document_id` keeps the prompts that apply to that document by tag. */
  list(query: z.infer<typeof promptListQuery>): Promise<Listed<'prompts', Prompt>>;
  /** The prompt that the document is extracted by when none is named. */
  defaultFor(document_id: string): Promise<Prompt | undefined>;
  create(body: z.infer<typeof createPromptBody>, origin: WriteOrigin): Promise<Prompt>;
  update(prompt_id: string, body: z.infer<typeof updatePromptBody>, origin: WriteOrigin): Promise<Prompt>;
  delete(prompt_id: string, origin: WriteOrigin): Promise<void>;
}

/** Tags of the organization. A missing id is a DomainError of kind `not_found`. */
export interface TagService {
  get(tag_id: string): Promise<Tag>;
  list(query: NamedListQuery): Promise<Listed<'tags', Tag>>;
  create(body: z.infer<typeof createTagBody>, origin: WriteOrigin): Promise<Tag>;
  update(tag_id: string, body: z.infer<typeof updateTagBody>, origin: WriteOrigin): Promise<Tag>;
  /** Refused while something carries the tag. */
  delete(tag_id: string, origin: WriteOrigin): Promise<void>;
}

/** A part of a page in fractions of its width and height, origin top left. */
export interface PageRegion {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface PageImage {
  /** A data URL that `checkedImage` passes. */
  url: string;
  width: number;
  height: number;
}

/** Documents of the organization, the chat's own among them. A missing id is a DomainError of kind `not_found`. */
export interface DocumentService {
  get(document_id: string): Promise<Document>;
  list(query: z.infer<typeof documentListQuery>): Promise<Listed<'documents', Document>>;
  /** Layout text as read; all pages, or the one asked for. Empty while the text has not been read. */
  text(document_id: string, page_num?: number): Promise<PageText[]>;
  /** The same page by page in order, so that a long document is never in memory whole. */
  eachText(document_id: string): AsyncIterable<PageText>;
  /**
   * A page, or a part of it, as an image of at most 1 MB. Kinds of files whose pages have no look of their own are a
   * `conflict` (`no_page_image`).
   */
  image?(document_id: string, page_num: number, region?: PageRegion): Promise<PageImage>;
  update(document_id: string, body: z.infer<typeof patchDocumentBody>, origin: WriteOrigin): Promise<Document>;
  delete(document_id: string, origin: WriteOrigin): Promise<void>;
  /** Where the documents of a PDF begin; `invalid` (`cannot_split`) for other kinds of file. Writes nothing. */
  proposeSplit(document_id: string): Promise<SplitProposal>;
  /** Makes documents of pages; the original stays. */
  split(document_id: string, parts: SplitBody['parts'], origin: WriteOrigin): Promise<SplitAnswer>;
}

export interface ExtractionService {
  /** Of one document, the last changed first. */
  list(document_id: string, page: { skip: number; limit: number }): Promise<Listed<'extractions', Extraction>>;
  /** The newest result of the document, or of that prompt revision; undefined where there is none yet. */
  latest(document_id: string, prompt_revid?: string): Promise<Extraction | undefined>;
  /** What a run would take; nothing runs. */
  estimate(
    document_id: string,
    prompt_revid: string,
  ): Promise<{ requests: number; pages: number; spu_estimated: number }>;
  /**
   * Without a prompt: the newest one that applies by tag, else the newest made for this document, else `invalid`.
   * `conflict` (`result_edited`, `result_verified`) where a person's work would go that `replace` does not name.
   */
  run(
    document_id: string,
    prompt_revid: string | undefined,
    origin: WriteOrigin,
    signal: AbortSignal,
    replace?: ReplaceLevel,
  ): Promise<Extraction>;
  /** One field by its dotted path; `conflict` where `base_version` is no longer the current one. */
  updateField(
    document_id: string,
    prompt_revid: string,
    change: { path: string; value: unknown; base_version: number },
    origin: WriteOrigin,
  ): Promise<Extraction>;
}

/** A change to a prompt that is to be measured; what is left out is as it is now. */
interface ChangeToMeasure {
  prompt_id: string;
  content?: string | undefined;
  response_format?: ResponseFormat | undefined;
  model?: string | undefined;
  max_documents?: number | undefined;
}

/** What changes to prompts and schemas do to verified results. */
export interface EvaluationService {
  /**
   * What is known of the effect of a call that will wait for a person. Undefined where there is nothing to tell. Starts a
   * measurement where the organization has every such call measured.
   */
  ofProposal(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    origin: WriteOrigin,
  ): Promise<CallEvaluation | undefined>;
  /** Measures a change within the organization's limit for what nobody started by hand; the worst differences come first. */
  measure(
    change: ChangeToMeasure,
    signal: AbortSignal,
  ): Promise<{ evaluation: Evaluation; differences: EvaluationDifference[] }>;
}

/**
 * What the document agent's tools may reach. Made by the server for one organization, one person and one document, so
 * that a call cannot name another's. A DomainError goes back to the model as the call's error; anything else ends the turn.
 */
export interface DocumentAgentServices {
  readonly document: { readonly id: string; readonly name: string };
  /** What this conversation may do; a person's with every right where it is left out. */
  readonly conversation?: ConversationKind;
  now?(): Date;
  readonly schemas: SchemaService;
  readonly prompts: PromptService;
  readonly tags: TagService;
  readonly documents: DocumentService;
  readonly extractions: ExtractionService;
  readonly evaluations: EvaluationService;
  readonly models: {
    list(): Promise<LlmModel[]>;
    /** Whether a model may be sent images; none may where it is left out. */
    canSee?(model: string): Promise<boolean>;
  };
  /** The person's own conversations on a document; nobody else's are told. */
  readonly threads: {
    list(
      document_id: string,
      page: { skip: number; limit: number },
    ): Promise<Listed<'threads', { id: string; title: string }>>;
  };
}
