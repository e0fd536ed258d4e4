import type { WorkingState } from '@docwright/contract';
import type { LlmMessage } from '../llm/llm-client.ts';
import { defuseName, documentBlock, isRecognised, type PageText } from './context/document-block.ts';
import { shortenLongLists } from './context/extraction-context.ts';
import { mentionBlock, type ResolvedMention } from './context/mention.ts';
import { rulesFor, type ConversationKind } from './context/rules.ts';

/** The content of a request beside the tools and the history. It is collected again before every model call. */
export interface DocumentAgentContext {
  document: { id: string; name: string };
  pages: readonly PageText[];
  /** ISO 639-1 code, if detected. */
  language?: string | undefined;
  /** The reason why the document has no text, if it has none. */
  missingText?: string | undefined;
  kind?: ConversationKind | undefined;
  /** Today's date and other current facts, one line each. */
  facts?: readonly string[];
  mentions: readonly ResolvedMention[];
  state: WorkingState;
  /** The messages between system message and tail. */
  history?: readonly LlmMessage[];
}

/** The first and the last message of a request. */
export interface DocumentAgentPrompt {
  /** Rules and document: the same during the whole conversation. */
  system: string;
  /** The changing part: date, tags, matching prompts, mentions, working state. */
  tail: string;
}

/** The maximum size of each part of the tail: entries of a list, UTF-16 units of a text and of a mention. */
interface TailLimits {
  listEntries: number;
  textLength: number;
  mention: number;
}

/** Token budget of a request, without tool definitions and history. */
const contextTokens = 8000;
const fullExcerpt = 8000;
const shortExcerpt = 2000;
/** Tokens reserved for the working state when the length of the excerpt is chosen. */
const stateTokens = 500;
const unlimited: TailLimits = { listEntries: Infinity, textLength: Infinity, mention: Infinity };

/** Ever narrower limits. They cut the long lists of the extraction first, then its long texts, then mentions. */
const tailLimits: readonly TailLimits[] = [
  unlimited,
  { ...unlimited, listEntries: 20 },
  { ...unlimited, listEntries: 5 },
  { ...unlimited, listEntries: 2, textLength: 300 },
  ...[16_000, 8000, 4000, 2000, 1000, 500, 200, 0].map((mention) => ({ listEntries: 2, textLength: 300, mention })),
];

/**
 * Builds the first and the last message of a request. The system message stays the same during a conversation, so that
 * endpoints can cache it; the tail holds the changing part. Both together stay within the token budget: parts are cut in a
 * fixed order, and the text names each cut.
 *
 * @example
 * import { documentAgentPrompt, type DocumentAgentContext } from './system-prompt.ts';
 *
 * declare const context: DocumentAgentContext;
 * const { system, tail } = documentAgentPrompt(context);
 */
export function documentAgentPrompt(context: DocumentAgentContext): DocumentAgentPrompt {
  const system = systemMessage(context);
  const room = contextTokens - approximateTokens(system);
  let tail = '';
  for (const limits of tailLimits) {
    tail = tailMessage(context, limits);
    if (approximateTokens(tail) <= room) return { system, tail };
  }
  tail = tailMessage({ ...context, state: { ...context.state, extraction: extractionTooLarge } }, tailLimits.at(-1)!);
  return { system, tail };
}

const extractionTooLarge = '[cut: the extraction is too large to show; get_extraction_result reads it]';

/** The length of the excerpt depends on the mentions, not on results of calls: the message must stay the same. */
function systemMessage(context: DocumentAgentContext): string {
  const mentions = context.mentions.map((mention) => mentionBlock(mention)).join('\n');
  const full = systemWith(context, fullExcerpt);
  const fits = approximateTokens(full) + approximateTokens(mentions) + stateTokens <= contextTokens;
  return fits ? full : systemWith(context, shortExcerpt);
}

function systemWith(context: DocumentAgentContext, limit: number): string {
  const { document, pages, kind } = context;
  return [
    rulesFor(kind ?? {}),
    [
      `Document: ${defuseName(document.name)} (id ${document.id})`,
      ...readingLines(context),
      ...excerptLines(pages, limit),
    ].join('\n'),
    documentBlock(document.name, pages, limit),
  ].join('\n\n');
}

/** A line about the share of the document in the excerpt, if it is not complete. */
function excerptLines(pages: readonly PageText[], limit: number): string[] {
  const total = pages.reduce((sum, { text }) => sum + text.length, 0);
  if (total <= limit) return [];
  let room = limit;
  const seen = pages.filter(({ text }) => {
    const isSeen = room > 0;
    room -= text.length;
    return isSeen;
  });
  const share = Math.max(1, Math.round((limit / total) * 100));
  const last = seen.at(-1)?.page_num ?? 1;
  const shown = last === 1 ? 'the beginning of page 1' : `pages 1 to ${last}, the last of them perhaps not whole`;
  return [
    `You see ${share} % of its text below: ${shown}, of ${pages.length}. For anything else call search_document, or get_ocr_text with a page_num, before you answer.`,
  ];
}

/** Lines about the language, pages recognised by OCR with their confidence, and empty pages with the reason. */
function readingLines({ pages, language, missingText }: DocumentAgentContext): string[] {
  if (missingText !== undefined) return [`There is no text to read: ${missingText}`];
  const recognised = pages.filter(isRecognised);
  const empty = pages.filter(({ text }) => text.trim() === '');
  return [
    ...(language === undefined ? [] : [`Language: ${language}`]),
    ...(recognised.length === 0
      ? []
      : [
          `Text recognised from an image (OCR), which may hold misread letters and figures: ${joinLimited(recognised.map(ocrLabel))}.`,
        ]),
    ...(empty.length === 0
      ? []
      : [
          `Without text: ${joinLimited(empty.map(({ page_num, why_empty }) => `page ${page_num} (${why_empty ?? noText})`))}.`,
        ]),
  ];
}

const noText = 'nothing was found on it: a blank page, or a picture without writing';

function ocrLabel({ page_num, confidence }: PageText): string {
  const sure = confidence === undefined ? '' : ` (mean confidence ${Math.round(confidence * 100)} %)`;
  return `page ${page_num}${sure}`;
}

function joinLimited(entries: readonly string[]): string {
  return entries.length <= 20
    ? entries.join(', ')
    : `${entries.slice(0, 20).join(', ')} and ${entries.length - 20} more`;
}

function tailMessage(context: DocumentAgentContext, limits: TailLimits): string {
  const { mentions, facts = [] } = context;
  const state = stateForModel(context);
  const extraction = shortenLongLists(state.extraction, limits.listEntries, limits.textLength);
  const isShortened =
    limits.listEntries !== Infinity && JSON.stringify(extraction) !== JSON.stringify(state.extraction);
  return [
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    ...(mentions.length > 0
      ? [
          `The person mentions these, in full unless a cut is marked:\n${mentions.map((mention) => mentionBlock(mention, limits.mention)).join('\n')}`,
        ]
      : []),
    ...(isShortened
      ? ['The extraction below is shortened where it says [cut: …]; get_extraction_result reads all of it.']
      : []),
    `Working state:\n${JSON.stringify({ ...state, extraction })}`,
  ].join('\n\n');
}

/**
 * The working state for the model. An extraction that is in the history is referred to, not repeated. `is_current` tells
 * whether it belongs to the current revisions of prompt and schema.
 */
function stateForModel({
  state,
  history = [],
}: DocumentAgentContext): Pick<WorkingState, 'schema_revid' | 'prompt_revid' | 'extraction'> {
  const { schema_revid, prompt_revid, extraction } = state;
  if (!isStoredResult(extraction)) return { schema_revid, prompt_revid, extraction };
  const is_current =
    extraction.prompt_revid === prompt_revid &&
    (extraction.schema_revid === undefined || schema_revid === null || extraction.schema_revid === schema_revid);
  if (!isInHistory(extraction, history))
    return { schema_revid, prompt_revid, extraction: { ...extraction, is_current } };
  const { version } = extraction;
  const seen = { prompt_revid: extraction.prompt_revid, version, is_current, values: 'in the last result above' };
  return { schema_revid, prompt_revid, extraction: seen };
}

interface StoredResult {
  prompt_revid: string;
  schema_revid?: string;
  version: number;
}

function isStoredResult(extraction: unknown): extraction is StoredResult {
  if (typeof extraction !== 'object' || extraction === null) return false;
  const { prompt_revid, version } = extraction as Partial<StoredResult>;
  return typeof prompt_revid === 'string' && typeof version === 'number';
}

/** Whether the history has a complete result, and one of this version. */
function isInHistory({ prompt_revid, version }: StoredResult, history: readonly LlmMessage[]): boolean {
  const results = history.flatMap((message) =>
    message.role === 'tool' && message.content.includes(prompt_revid) ? [message.content] : [],
  );
  const isWhole = (text: string) => text.includes('"result":');
  const last = results.findLast((text) => text.includes(`"version":${version},`));
  return last !== undefined && results.some(isWhole);
}

/**
 * Estimates the tokens of a text: four ASCII characters, or one and a half others, count as one token. The estimate is
 * rather high, because a prompt that is too long costs more than one that is cut early.
 */
export function approximateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 128) ascii += 1;
  return Math.ceil(ascii / 4 + (text.length - ascii) / 1.5);
}
