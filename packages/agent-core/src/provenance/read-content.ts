import { canCarryOrder } from './carriers.ts';
import type { DocumentPlace, KnownObject } from './known-object.ts';
import { TextIndex, wordsOf, type IndexedText, type TextMatch } from './text/text-index.ts';

/** A text of a document, with the document if the result names it. */
interface ReadText extends IndexedText<DocumentPlace> {
  readonly documentId?: string;
}

/** What a program was given by a tool. Plain JSON. */
export interface ReadContent {
  readonly objects: readonly KnownObject[];
  readonly texts: readonly ReadText[];
  /** The result held a picture, or more than is kept: what no text holds can come from there. */
  readonly hasPicture: boolean;
}

/** A document that a program names for its call. */
export interface NamedDocument {
  readonly id: string;
  readonly name: string;
}

/** The properties of a tool that say what its results hold. */
interface ReadingTool {
  readonly documentContent?: readonly string[];
  readonly needsSight?: true;
}

/** Maximum number of characters of one result that are kept for later calls of the program. */
const maxKeptCharacters = 400_000;

/**
 * What a tool's result holds of documents and of the organization.
 *
 * @param tool undefined if no tool is known that declares its content: then all of it counts as text of documents
 * @param documentId the document that the call was about
 *
 * @example
 * import { contentOfResult } from '@docwright/agent-core';
 *
 * contentOfResult({ documentContent: ['text'] }, { page_num: 1, text: 'Total 5' }, 'd1').texts;
 * // [{ text: 'Total 5', place: { found_in: 'tool_result' }, documentId: 'd1' }]
 */
export function contentOfResult(tool: ReadingTool | undefined, result: unknown, documentId?: string): ReadContent {
  const objects: KnownObject[] = [];
  const texts: ReadText[] = [];
  let kept = 0;
  const add = (text: ReadText): void => {
    kept += text.text.length;
    if (kept <= maxKeptCharacters) texts.push(text);
  };
  const place = { found_in: 'tool_result' as const };
  if (tool === undefined) for (const { text } of textsIn(result)) add({ text, place });
  else readResult(result, tool, { object: (each) => void objects.push(each), text: add }, documentId);
  return { objects, texts, hasPicture: tool?.needsSight === true || kept > maxKeptCharacters };
}

/** The place where another document names this one, by its id or by the name of its file. */
export function documentNamedElsewhere(
  { id, name }: NamedDocument,
  read: readonly ReadContent[],
): TextMatch<DocumentPlace> | undefined {
  const index = new TextIndex<DocumentPlace>();
  const texts = read.flatMap((each) => each.texts).filter(({ documentId }) => documentId !== id);
  for (const text of texts) index.add(text);
  const byId = index.findId(id);
  if (byId !== undefined) return byId;
  const words = wordsOf(name);
  const withoutEnding = wordsOf(name.replace(/\.[^.]{1,8}$/u, ''));
  for (const each of [words, withoutEnding]) {
    // A single word, as “Invoice”, is on many pages and names no file.
    if (each.length < 2) continue;
    const found = index.find(each);
    if (found !== undefined) return found === 'exhausted' ? undefined : found;
  }
  return words[0] === undefined ? undefined : index.findNear(['document', 'file'], [words[0]], 2);
}

const idKey = /(?:^|_)(?:id|ids|revid)$/;
const nameKeys = new Set(['name', 'title', 'model', 'provider']);
/** Keys of texts that the product writes itself. They name ids and tools. */
const ownTexts = new Set(['note', 'cut', 'schema_not_used', 'schema_is_old', 'renamed']);
interface Found {
  object: (object: KnownObject) => void;
  text: (text: ReadText) => void;
}

/**
 * Reads a result. Ids and names in one JSON object belong to the same object of the organization. A text that no tool
 * declares counts as a name, and so does a key inside declared content: a document can have dictated both.
 */
export function readResult(value: unknown, tool: ReadingTool, found: Found, documentId?: string): void {
  const loose = new Set<string>();
  walkResult(value, tool, found, loose, documentId);
  const fields = [...loose].filter(canCarryOrder);
  if (fields.length > 0) found.object({ ids: [], names: [], fields });
}

function walkResult(value: unknown, tool: ReadingTool, found: Found, loose: Set<string>, documentId?: string): void {
  if (typeof value === 'string') addFields(value, loose);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walkResult(item, tool, found, loose, documentId);
    return;
  }
  const own = documentOf(value) ?? documentId;
  const ids: string[] = [];
  const names: string[] = [];
  const fields: string[] = [];
  for (const [key, child] of Object.entries(value)) {
    if (tool.documentContent?.includes(key) === true) {
      addKeys(child, loose);
      for (const { text, page_num } of textsIn(key === 'changed' ? withoutPaths(child, loose) : child)) {
        const found_in = page_num === undefined ? placeOf(key) : 'page';
        const place = { found_in, ...(page_num !== undefined && { page_num }) };
        found.text({ text, place, ...(own !== undefined && { documentId: own }) });
      }
    } else if (idKey.test(key)) {
      addWrittenIds(child, loose);
      if (typeof child === 'string') ids.push(child);
      // Ids in a list belong to other objects.
      else if (Array.isArray(child)) {
        for (const id of child) if (typeof id === 'string') found.object({ ids: [id], names: [] });
      }
    } else if (nameKeys.has(key) && typeof child === 'string') names.push(child);
    else if (key === 'fields' && typeof child === 'string') fields.push(...child.split(fieldSeparator));
    else if (key === 'response_format') {
      const schema = schemaTexts({ response_format: child });
      fields.push(...schema.fields);
      for (const text of schema.texts) found.text({ text, place: { found_in: 'tool_result' } });
    } else if (key === 'error' && typeof child === 'string') loose.add(withoutOwnHints(child));
    else if (!ownTexts.has(key) || typeof child !== 'string') walkResult(child, tool, found, loose, own);
  }
  if (ids.length > 0 || names.length > 0 || fields.length > 0)
    found.object({ ids, names, ...(fields.length > 0 && { fields }) });
}

/** What the product's own errors say of ids and tools: “The tag “Paid” exists (tag_id …)”, “run_extraction makes one”. */
const ownHints = /(^|[.:] )[a-z]+(?:_[a-z]+)+(?= (?:makes|names|shows) )| \(\w+_id [0-9a-f]{24}\)(?=: use it)/gu;
/** The refusal of a call: of what does not fit, the tool, its arguments and their types are the product's. The model repeats that call. */
const ownRefusal = /^The arguments do not fit (\w+): (.*?)(?:; \1 takes [\w, ]+\. Nothing was done\.)?$/su;
const ownTypes = /✖ Invalid (?:input|option): expected [^\n]*/gu;

function withoutOwnHints(error: string): string {
  const [, , unfit] = ownRefusal.exec(error) ?? [];
  return unfit === undefined ? error.replace(ownHints, '$1') : unfit.replace(ownTypes, '');
}

const digitsAlone = /^[0-9a-f-]+$/iu;

/** Adds ids that people or programs write, such as those of models: they can hold an order as names can. */
function addWrittenIds(value: unknown, to: Set<string>): void {
  for (const id of Array.isArray(value) ? value : [value]) {
    if (typeof id === 'string' && !digitsAlone.test(id)) to.add(id);
  }
}

/** Adds a text, or the names of fields in a path: a name with spaces can have dots of its own. */
export function addFields(text: string, to: Set<string>): void {
  for (const field of /\s/u.test(text) ? [text] : text.split('.')) to.add(field);
}

/** Adds all keys inside a value. */
export function addKeys(value: unknown, to: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) addKeys(item, to);
    return;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    to.add(key);
    addKeys(members[key], to);
  }
}

/** Between the names of fields in a list of them; `fieldNames` leaves it out of each. */
export const fieldSeparator = ', ';

/** Keys of a JSON schema whose values are its own words, and those whose keys are names of fields. */
const wordsOfSchemas = new Set(['type', 'format', '$ref', 'required', '$schema']);
const fieldKeys = new Set(['properties', '$defs', 'definitions']);

/**
 * What a schema says: the names of its fields, and texts such as descriptions and permitted values. A document can have
 * dictated both in an earlier conversation.
 */
export function schemaTexts({ response_format, checks }: { response_format: unknown; checks?: unknown }): {
  fields: string[];
  texts: string[];
} {
  const fields: string[] = [];
  const texts: string[] = textsIn(checks).map(({ text }) => text);
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    for (const [key, child] of Object.entries(value)) {
      if (fieldKeys.has(key) && typeof child === 'object' && child !== null) {
        fields.push(...Object.keys(child));
        Object.values(child).forEach(visit);
        continue;
      }
      // Keys and formats can be any text: those that can hold an order count as names.
      if (canCarryOrder(key)) fields.push(key);
      if (key === 'format' && typeof child === 'string' && canCarryOrder(child)) fields.push(child);
      if (!wordsOfSchemas.has(key)) visit(child);
    }
  };
  visit(response_format);
  return { fields, texts };
}

/** The document that a row of a result is about. */
function documentOf(row: object): string | undefined {
  if ('document_id' in row && typeof row.document_id === 'string') return row.document_id;
  return 'document_name' in row && 'id' in row && typeof row.id === 'string' ? row.id : undefined;
}

/** The values before and after of changes. Their paths are names of fields, which are added to `names`. */
export function withoutPaths(changes: unknown, names: Set<string>): unknown {
  if (!Array.isArray(changes)) return changes;
  return changes.map((change: unknown) => {
    if (typeof change !== 'object' || change === null) return change;
    if ('path' in change && typeof change.path === 'string') addFields(change.path, names);
    return { ...change, path: undefined };
  });
}

function placeOf(key: string): DocumentPlace['found_in'] {
  if (key === 'document_name') return 'file_name';
  if (key === 'metadata') return 'metadata';
  return key === 'result' || key === 'value' || key === 'changed' ? 'extraction' : 'tool_result';
}

/** All texts inside a value, with their page if the value has a `page_num`. */
export function textsIn(value: unknown): { text: string; page_num?: number }[] {
  const texts: { text: string; page_num?: number }[] = [];
  addTexts(value, undefined, texts);
  return texts;
}

function addTexts(value: unknown, page: number | undefined, to: { text: string; page_num?: number }[]): void {
  if (typeof value === 'string' || typeof value === 'number') {
    to.push(page === undefined ? { text: String(value) } : { text: String(value), page_num: page });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) addTexts(item, page, to);
    return;
  }
  const members = value as Record<string, unknown>;
  const own = typeof members['page_num'] === 'number' ? members['page_num'] : page;
  for (const key of Object.keys(members)) if (key !== 'page_num') addTexts(members[key], own, to);
}

/** The scalar values inside a value, by dotted path. */
export function leavesOf(value: unknown, path: string, leaves: [string, unknown][] = []): [string, unknown][] {
  if (typeof value !== 'object' || value === null) leaves.push([path, value]);
  else for (const [key, child] of Object.entries(value)) leavesOf(child, `${path}.${key}`, leaves);
  return leaves;
}
