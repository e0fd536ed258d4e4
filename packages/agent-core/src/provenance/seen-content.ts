import type { LlmMessage } from '../llm/llm-client.ts';
import type { Toolset } from '../tool/toolset.ts';
import type { Passage } from '@docwright/contract';
import { TextIndex, wordsOf, type IndexedText } from './text-index.ts';

/** Where a text of a document was read. */
export type DocumentPlace = Pick<Passage, 'found_in' | 'page_num'>;

/** Something of the organization's own: all of its ids, and its names. */
export interface KnownThing {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

/** What a profile adds to the transcript: what its system prompt is built from. */
export interface GivenContent {
  /** Things that the user mentioned. */
  readonly mentioned: readonly KnownThing[];
  /** Things that the prompt names. */
  readonly known: readonly KnownThing[];
  /** Ids of what the conversation works on. */
  readonly workingIds: readonly string[];
  /** Indexed once for as long as the same array is given. */
  readonly pages?: readonly { readonly page_num: number; readonly text: string }[];
  readonly documentTexts: readonly IndexedText<DocumentPlace>[];
}

/** What a turn has seen, by where it came from. */
export interface SeenContent {
  readonly person: TextIndex<'message' | 'mention'>;
  readonly document: TextIndex<DocumentPlace>;
  /** Ids as they are, names by their words. */
  readonly catalog: ReadonlySet<string>;
  /** The names of a thing by each of its ids. */
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
  /** Ids of what the conversation works on or has made, with the other ids of the same things. */
  readonly working: ReadonlySet<string>;
}

export const nothingGiven: GivenContent = { mentioned: [], known: [], workingIds: [], documentTexts: [] };

/**
 * Sorts what a turn has seen. The user's messages, answers and reasons are the user's; results of tools hold ids and
 * names of the organization, and, under the keys that the tool declares, content of documents. One pass over all of it.
 */
export function seenContent<Services>(
  transcript: readonly LlmMessage[],
  tools: Pick<Toolset<Services>, 'get'>,
  given: GivenContent = nothingGiven,
): SeenContent {
  const person = new TextIndex<'message' | 'mention'>();
  const document = new TextIndex<DocumentPlace>(given.pages && pageIndex(given.pages));
  const things: KnownThing[] = [...given.known, ...given.mentioned];
  const made: KnownThing[] = [];
  const nameOfCall = new Map<string, string>();
  for (const text of given.documentTexts) document.add(text);
  for (const { ids, names } of given.mentioned) {
    for (const text of [...ids, ...names]) person.add({ text, place: 'mention' });
  }
  for (const message of transcript) {
    if (message.role === 'user') person.add({ text: message.content, place: 'message' });
    if (message.role === 'assistant') {
      for (const { id, name } of message.toolCalls ?? []) nameOfCall.set(id, name);
    }
    if (message.role !== 'tool') continue;
    const result = parsed(message.content);
    // What is no JSON is the reason that the user gave for a rejection.
    if (result === undefined) {
      person.add({ text: message.content, place: 'message' });
      continue;
    }
    const tool = tools.get(nameOfCall.get(message.callId) ?? '');
    if (tool?.awaitsAnswers === true) {
      for (const text of answersIn(result)) person.add({ text, place: 'message' });
      continue;
    }
    // A plan comes back as the model wrote it.
    if (tool?.proposesPlan === true) continue;
    const documentKeys = new Set(tool?.documentContent ?? []);
    const found: KnownThing[] = [];
    readResult(result, documentKeys, found, document);
    things.push(...found);
    if (tool?.name.startsWith('create_') === true) made.push(...found);
  }
  const catalog = new Set<string>();
  const namesOf = new Map<string, string[]>();
  const working = new Set([...given.workingIds, ...made.flatMap(({ ids }) => ids)]);
  for (const { ids, names } of things) {
    for (const id of ids) {
      catalog.add(id);
      const known = namesOf.get(id);
      if (known === undefined) namesOf.set(id, [...names]);
      else known.push(...names.filter((name) => !known.includes(name)));
    }
    for (const name of names) catalog.add(wordsOf(name).join(' '));
    if (ids.some((id) => working.has(id))) for (const id of ids) working.add(id);
  }
  return { person, document, catalog, namesOf, working };
}

const pageIndexes = new WeakMap<object, TextIndex<DocumentPlace>>();

function pageIndex(pages: NonNullable<GivenContent['pages']>): TextIndex<DocumentPlace> {
  const known = pageIndexes.get(pages);
  if (known !== undefined) return known;
  const index = new TextIndex<DocumentPlace>();
  for (const { text, page_num } of pages) index.add({ text, place: { found_in: 'page', page_num } });
  pageIndexes.set(pages, index);
  return index;
}

const idKey = /(?:^|_)(?:id|ids|revid)$/;
const nameKeys = new Set(['name', 'title', 'model', 'provider']);

/** Walks a result: ids and names that stand in one object belong to one thing. */
function readResult(
  value: unknown,
  documentKeys: ReadonlySet<string>,
  things: KnownThing[],
  document: TextIndex<DocumentPlace>,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) readResult(each, documentKeys, things, document);
    return;
  }
  const ids: string[] = [];
  const names: string[] = [];
  for (const [key, child] of Object.entries(value)) {
    if (documentKeys.has(key)) {
      for (const { text, page_num } of textsIn(child)) {
        const found_in = page_num === undefined ? placeOf(key) : 'page';
        document.add({ text, place: { found_in, ...(page_num !== undefined && { page_num }) } });
      }
    } else if (idKey.test(key)) {
      if (typeof child === 'string') ids.push(child);
      // Ids in a list are other things than the one that lists them.
      else if (Array.isArray(child)) {
        things.push(...child.flatMap((id) => (typeof id === 'string' ? [{ ids: [id], names: [] }] : [])));
      }
    } else if (nameKeys.has(key) && typeof child === 'string') names.push(child);
    else readResult(child, documentKeys, things, document);
  }
  if (ids.length > 0 || names.length > 0) things.push({ ids, names });
}

function placeOf(key: string): DocumentPlace['found_in'] {
  if (key === 'document_name') return 'file_name';
  if (key === 'metadata') return 'metadata';
  return key === 'result' || key === 'value' || key === 'changed' ? 'extraction' : 'tool_result';
}

/** All text of a value, with the page that it stands on where the value says so. Keys are text too: a table may be keyed by what it read. */
export function textsIn(value: unknown, page?: number): { text: string; page_num?: number }[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return [{ text: String(value), ...(page !== undefined && { page_num: page }) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, page));
  const own = 'page_num' in value && typeof value.page_num === 'number' ? value.page_num : page;
  return Object.entries(value).flatMap(([key, child]) => (key === 'page_num' ? [] : textsIn(child, own)));
}

/** What the user chose and wrote. */
function answersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    (key === 'label' || key === 'other') && typeof child === 'string' ? [child] : answersIn(child),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
