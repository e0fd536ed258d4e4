import type { WorkingState } from '@docwright/contract';
import type { LlmMessage } from '../llm/llm-client.ts';
import { defuseName, documentBlock, type PageText } from './context/document-block.ts';
import { shortenLongLists } from './context/extraction-context.ts';
import { mentionBlock, type ResolvedMention } from './context/mention.ts';
import { rulesFor, type ConversationKind } from './context/rules.ts';

/** What a request is made of beside the tools and the history; gathered anew before every model call. */
export interface DocumentAgentContext {
  document: { id: string; name: string };
  pages: readonly PageText[];
  /** ISO 639-1, where it can be told. */
  language?: string | undefined;
  /** Why there is no text, where there is none. */
  missingText?: string | undefined;
  kind?: ConversationKind | undefined;
  /** Today's date and whatever else is known by now, a line each. */
  facts?: readonly string[];
  mentions: readonly ResolvedMention[];
  state: WorkingState;
  /** What is sent between the two messages. */
  history?: readonly LlmMessage[];
}

/** The first and the last message of a request. */
export interface DocumentAgentPrompt {
  /** Rules and document: the same for as long as the conversation lasts. */
  system: string;
  /** What is new: date, tags, what fits, mentions, working state. */
  tail: string;
}

/** How much of each part of the tail is kept; Infinity keeps all of it. */
interface Cuts {
  listEntries: number;
  textLength: number;
  mention: number;
}

/** Beside the tool definitions and the history, what a request should come near to and not pass. */
const contextTokens = 8000;
const fullExcerpt = 8000;
const shortExcerpt = 2000;
/** What is left to the working state when the length of the excerpt is decided. */
const stateTokens = 500;
const uncut: Cuts = { listEntries: Infinity, textLength: Infinity, mention: Infinity };

/** The order in which parts of the tail give way: the extraction's long lists, its long texts, mentions last. */
const steps: readonly Cuts[] = [
  uncut,
  { ...uncut, listEntries: 20 },
  { ...uncut, listEntries: 5 },
  { ...uncut, listEntries: 2, textLength: 300 },
  ...[16_000, 8000, 4000, 2000, 1000, 500, 200, 0].map((mention) => ({ listEntries: 2, textLength: 300, mention })),
];

/**
 * The two ends of a request. The system message does not change while a conversation lasts, so that endpoints which cache
 * prompts charge it once; the tail holds what does. Together they stay under the token budget by cutting in a fixed
 * order; each cut is named in the text.
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
  for (const cuts of steps) {
    tail = tailMessage(context, cuts);
    if (approximateTokens(tail) <= room) return { system, tail };
  }
  tail = tailMessage({ ...context, state: { ...context.state, extraction: tooLarge } }, steps.at(-1)!);
  return { system, tail };
}

const tooLarge = '[cut: the extraction is too large to show; get_extraction_result reads it]';

/** What the person mentions decides how much of the document is shown; what calls change does not. */
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
      ...seenLines(pages, limit),
    ].join('\n'),
    documentBlock(document.name, pages, limit),
  ].join('\n\n');
}

/** How much of the document the excerpt shows, where that is not all. */
function seenLines(pages: readonly PageText[], limit: number): string[] {
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

/** How the pages were read: which are recognised from an image, how surely, and which are empty and why. */
function readingLines({ pages, language, missingText }: DocumentAgentContext): string[] {
  if (missingText !== undefined) return [`There is no text to read: ${missingText}`];
  const recognised = pages.filter(({ read_by }) => read_by === 'ocr');
  const empty = pages.filter(({ text }) => text.trim() === '');
  return [
    ...(language === undefined ? [] : [`Language: ${language}`]),
    ...(recognised.length === 0
      ? []
      : [
          `Text recognised from an image (OCR), which may hold misread letters and figures: ${listed(recognised.map(ocrLabel))}.`,
        ]),
    ...(empty.length === 0
      ? []
      : [
          `Without text: ${listed(empty.map(({ page_num, why_empty }) => `page ${page_num} (${why_empty ?? noText})`))}.`,
        ]),
  ];
}

const noText = 'nothing was found on it: a blank page, or a picture without writing';

function ocrLabel({ page_num, confidence }: PageText): string {
  const sure = confidence === undefined ? '' : ` (mean confidence ${Math.round(confidence * 100)} %)`;
  return `page ${page_num}${sure}`;
}

function listed(entries: readonly string[]): string {
  return entries.length <= 20
    ? entries.join(', ')
    : `${entries.slice(0, 20).join(', ')} and ${entries.length - 20} more`;
}

function tailMessage(context: DocumentAgentContext, cuts: Cuts): string {
  const { mentions, facts = [] } = context;
  const state = shownState(context);
  const extraction = shortenLongLists(state.extraction, cuts.listEntries, cuts.textLength);
  const isShortened = cuts.listEntries !== Infinity && JSON.stringify(extraction) !== JSON.stringify(state.extraction);
  return [
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    ...(mentions.length > 0
      ? [
          `The person mentions these, in full unless a cut is marked:\n${mentions.map((mention) => mentionBlock(mention, cuts.mention)).join('\n')}`,
        ]
      : []),
    ...(isShortened
      ? ['The extraction below is shortened where it says [cut: …]; get_extraction_result reads all of it.']
      : []),
    `Working state:\n${JSON.stringify({ ...state, extraction })}`,
  ].join('\n\n');
}

/**
 * The working state as the model reads it. A result that stands in the history is named and not repeated; one of an
 * earlier revision of the prompt says that it is.
 */
function shownState({
  state,
  history = [],
}: DocumentAgentContext): Pick<WorkingState, 'schema_revid' | 'prompt_revid' | 'extraction'> {
  const { schema_revid, prompt_revid, extraction } = state;
  if (!isKept(extraction)) return { schema_revid, prompt_revid, extraction };
  const is_current =
    extraction.prompt_revid === prompt_revid &&
    (extraction.schema_revid === undefined || schema_revid === null || extraction.schema_revid === schema_revid);
  if (!standsInHistory(extraction, history))
    return { schema_revid, prompt_revid, extraction: { ...extraction, is_current } };
  const { version } = extraction;
  const seen = { prompt_revid: extraction.prompt_revid, version, is_current, values: 'in the last result above' };
  return { schema_revid, prompt_revid, extraction: seen };
}

interface KeptResult {
  prompt_revid: string;
  schema_revid?: string;
  version: number;
}

function isKept(extraction: unknown): extraction is KeptResult {
  if (typeof extraction !== 'object' || extraction === null) return false;
  const { prompt_revid, version } = extraction as Partial<KeptResult>;
  return typeof prompt_revid === 'string' && typeof version === 'number';
}

/** Whether a result with all values and one of this version are among the messages. */
function standsInHistory({ prompt_revid, version }: KeptResult, history: readonly LlmMessage[]): boolean {
  const results = history.flatMap((message) =>
    message.role === 'tool' && message.content.includes(prompt_revid) ? [message.content] : [],
  );
  const isWhole = (text: string) => text.includes('"result":');
  const last = results.findLast((text) => text.includes(`"version":${version},`));
  return last !== undefined && results.some(isWhole);
}

/**
 * Tokens of a text, without a tokenizer: four characters of ASCII, or one and a half of anything else, are about one.
 * It errs on the high side, since a prompt that is too long costs more than one that is cut a little early.
 */
export function approximateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 128) ascii += 1;
  return Math.ceil(ascii / 4 + (text.length - ascii) / 1.5);
}
