import type { LlmMessage } from '../llm/llm-client.ts';
import type { Toolset } from '../tool/toolset.ts';
import type { Passage } from '@docwright/contract';
import { TextIndex, wordsOf, type IndexedText } from './text-index.ts';

/** The place in a document or its metadata where a text was found. */
export type DocumentPlace = Pick<Passage, 'found_in' | 'page_num'>;

/** An object of the organization: all its ids and names. */
export interface KnownObject {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

/** The content of a profile's system prompt. */
export interface GivenContent {
  /** Objects that the user mentioned. */
  readonly mentioned: readonly KnownObject[];
  /** Objects that the prompt names. */
  readonly known: readonly KnownObject[];
  /** Ids of the objects that the conversation works on. */
  readonly workingIds: readonly string[];
  /** Pages of the document. The index is cached by the identity of the array. */
  readonly pages?: readonly { readonly page_num: number; readonly text: string }[];
  readonly documentTexts: readonly IndexedText<DocumentPlace>[];
}

/** The content that a turn has seen, grouped by source. */
export interface SeenContent {
  readonly person: TextIndex<'message' | 'mention'>;
  readonly document: TextIndex<DocumentPlace>;
  /** Ids and normalized names of the organization's objects. */
  readonly catalog: ReadonlySet<string>;
  /** Names of an object by each of its ids. */
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
  /** All ids of the objects that the conversation works on or has created. */
  readonly working: ReadonlySet<string>;
  /** Ids of what the conversation works on, without what it has created. */
  readonly workedOn: ReadonlySet<string>;
  /** The model has seen a picture of a document, whose words no text holds. */
  readonly hasPicture: boolean;
}

export const noGivenContent: GivenContent = { mentioned: [], known: [], workingIds: [], documentTexts: [] };

/**
 * Groups the content of a turn by source. Messages, answers and rejection reasons come from the user. Results of tools
 * hold ids and names of the organization and, under the keys that the tool declares, content of documents. Any other result,
 * for example in a history that a client sends, counts as content of documents. One pass.
 */
export function seenContent<Services>(
  transcript: readonly LlmMessage[],
  tools: Pick<Toolset<Services>, 'get'>,
  given: GivenContent = noGivenContent,
): SeenContent {
  const person = new TextIndex<'message' | 'mention'>();
  const document = new TextIndex<DocumentPlace>(given.pages && pageIndex(given.pages));
  const objects: KnownObject[] = [...given.known, ...given.mentioned];
  const created: KnownObject[] = [];
  const nameOfCall = new Map<string, string>();
  let hasPicture = false;
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
    const result = parseJson(message.content);
    const tool = tools.get(nameOfCall.get(message.callId) ?? '');
    if (result === undefined && message.content.startsWith(rejectionStart)) {
      person.add({ text: message.content.slice(rejectionStart.length), place: 'message' });
      continue;
    }
    if (result === undefined || tool === undefined) {
      const texts = result === undefined ? [message.content] : textsIn(result).map(({ text }) => text);
      for (const text of texts) document.add({ text, place: { found_in: 'tool_result' } });
      continue;
    }
    if (tool.needsSight === true && !hasError(result)) hasPicture = true;
    if (tool.awaitsAnswers === true) {
      for (const text of answersIn(result)) person.add({ text, place: 'message' });
      continue;
    }
    // The result of a plan repeats the model's own text.
    if (tool.proposesPlan === true) continue;
    const documentKeys = new Set(tool.documentContent ?? []);
    const found: KnownObject[] = [];
    readResult(result, documentKeys, found, document);
    objects.push(...found);
    if (tool.target === 'new') created.push(...found);
  }
  const catalog = new Set<string>();
  const namesOf = new Map<string, string[]>();
  const workedOn = new Set(given.workingIds);
  const working = new Set([...given.workingIds, ...created.flatMap(({ ids }) => ids)]);
  for (const { ids, names } of objects) {
    for (const id of ids) {
      catalog.add(id);
      const known = namesOf.get(id);
      if (known === undefined) namesOf.set(id, [...names]);
      else known.push(...names.filter((name) => !known.includes(name)));
    }
    for (const name of names) catalog.add(wordsOf(name).join(' '));
    if (ids.some((id) => workedOn.has(id))) for (const id of ids) workedOn.add(id);
    if (ids.some((id) => working.has(id))) for (const id of ids) working.add(id);
  }
  return { person, document, catalog, namesOf, working, workedOn, hasPicture };
}

/** The start of the result of a rejected call; the user's reason follows. */
export const rejectionStart = 'User rejected this action.';

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

/** Walks a result. Ids and names in one JSON object belong to the same object of the organization. */
function readResult(
  value: unknown,
  documentKeys: ReadonlySet<string>,
  objects: KnownObject[],
  document: TextIndex<DocumentPlace>,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) readResult(item, documentKeys, objects, document);
    return;
  }
  const ids: string[] = [];
  const names: string[] = [];
  for (const [key, child] of Object.entries(value)) {
    if (documentKeys.has(key)) {
      for (const { text, page_num } of textsIn(key === 'changed' ? withoutPaths(child) : child)) {
        const found_in = page_num === undefined ? placeOf(key) : 'page';
        document.add({ text, place: { found_in, ...(page_num !== undefined && { page_num }) } });
      }
    } else if (idKey.test(key)) {
      if (typeof child === 'string') ids.push(child);
      // Ids in a list belong to other objects.
      else if (Array.isArray(child)) {
        objects.push(...child.flatMap((id) => (typeof id === 'string' ? [{ ids: [id], names: [] }] : [])));
      }
    } else if (nameKeys.has(key) && typeof child === 'string') names.push(child);
    else readResult(child, documentKeys, objects, document);
  }
  if (ids.length > 0 || names.length > 0) objects.push({ ids, names });
}

/** The values before and after of changes. Their paths are those of the schema, which no document has written. */
function withoutPaths(changes: unknown): unknown {
  if (!Array.isArray(changes)) return changes;
  return changes.map((change: unknown) =>
    typeof change === 'object' && change !== null ? { ...change, path: undefined } : change,
  );
}

function placeOf(key: string): DocumentPlace['found_in'] {
  if (key === 'document_name') return 'file_name';
  if (key === 'metadata') return 'metadata';
  return key === 'result' || key === 'value' || key === 'changed' ? 'extraction' : 'tool_result';
}

/** All texts inside a value, with their page if the value has a `page_num`. */
export function textsIn(value: unknown, page?: number): { text: string; page_num?: number }[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return [{ text: String(value), ...(page !== undefined && { page_num: page }) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, page));
  const own = 'page_num' in value && typeof value.page_num === 'number' ? value.page_num : page;
  return Object.entries(value).flatMap(([key, child]) => (key === 'page_num' ? [] : textsIn(child, own)));
}

/** The options and texts of the user's answers. */
function answersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    (key === 'label' || key === 'other') && typeof child === 'string' ? [child] : answersIn(child),
  );
}

const hasError = (result: unknown): boolean => typeof result === 'object' && result !== null && 'error' in result;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
