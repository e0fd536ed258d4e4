import type { Document, Route, RouteThen } from '@docwright/contract';
import { LruMap } from 'toad-cache';
import { compileLinearPattern } from '../schemas/index.ts';

/** What routes are judged by. */
export interface RoutedFacts {
  document: Pick<Document, 'document_name' | 'mime_type' | 'page_count' | 'metadata' | 'upload_date'>;
  /** The text of all pages. */
  text: string;
}

export type JudgedRoute = Pick<Route, 'name' | 'when' | 'then' | 'stop' | 'enabled'>;

export interface Judgement<Judged> {
  routes: Judged[];
  why: string;
  /** What the routes give together. */
  then: RouteThen;
}

const patterns = new LruMap<ReturnType<typeof compileLinearPattern>>(1_000);
/** Values of metadata are compared up to here: patterns cost time for each character. */
const maxComparedCharacters = 5_000;

function matches(pattern: string, value: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = compileLinearPattern(pattern);
    patterns.set(pattern, compiled);
  }
  return compiled.test(value.slice(0, maxComparedCharacters));
}

/** Judges routes in their order, by rules alone. */
export function judgeRoutes<Judged extends JudgedRoute>(
  routes: readonly Judged[],
  { document, text }: RoutedFacts,
): Judgement<Judged> {
  // Folded once for all routes, and only if a route asks for words.
  let folded: string | undefined;
  const hasWord = (word: string) => standsIn((folded ??= fold(text)), foldedWord(word));
  const taken: Judged[] = [];
  const reasons: string[] = [];
  for (const route of routes) {
    if (!route.enabled) continue;
    const reason = reasonOf(route, document, hasWord);
    if (reason === undefined) continue;
    taken.push(route);
    reasons.push(`“${route.name}”: ${reason}`);
    if (route.stop) break;
  }
  return {
    routes: taken,
    why: taken.length === 0 ? 'No route fits.' : reasons.join(' '),
    then: together(taken, document),
  };
}

/** Why a route takes the document; undefined if it does not. */
function reasonOf(
  { when }: JudgedRoute,
  { document_name, mime_type, page_count, metadata }: RoutedFacts['document'],
  hasWord: (word: string) => boolean,
): string | undefined {
  const reasons: string[] = [];
  if (when.mime_types !== undefined) {
    if (!when.mime_types.includes(mime_type)) return undefined;
    reasons.push(`its type is ${mime_type}`);
  }
  if (when.pages !== undefined) {
    const { min = 0, max = Infinity } = when.pages;
    const pages = page_count ?? 0;
    if (pages < min || pages > max) return undefined;
    reasons.push(`it has ${pages} pages`);
  }
  if (when.name_matches !== undefined) {
    if (!matches(when.name_matches, document_name)) return undefined;
    reasons.push(`its name matches ${when.name_matches}`);
  }
  for (const [key, pattern] of Object.entries(when.metadata ?? {})) {
    if (!Object.hasOwn(metadata, key)) return undefined;
    const value = metadata[key];
    if (!matches(pattern, typeof value === 'string' ? value : JSON.stringify(value))) return undefined;
    reasons.push(`its ${key} matches ${pattern}`);
  }
  if (when.text_contains !== undefined) {
    if (!when.text_contains.every(hasWord)) return undefined;
    reasons.push(`its text has ${when.text_contains.map((word) => `“${word}”`).join(', ')}`);
  }
  return reasons.length === 0 ? 'it takes every document.' : `${reasons.join(', ')}.`;
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ');
const foldedWords = new LruMap<string>(10_000);

function foldedWord(word: string): string {
  let folded = foldedWords.get(word);
  if (folded === undefined) foldedWords.set(word, (folded = fold(word)));
  return folded;
}

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whether the words stand in the text, not inside of longer words. */
function standsIn(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const isInside =
      (isWordCharacter(words[0]) && isWordCharacter(text[at - 1])) ||
      (isWordCharacter(words.at(-1)) && isWordCharacter(text[at + words.length]));
    if (!isInside) return true;
  }
  return false;
}

/** The first route that gives a name or a value of metadata decides it. */
function together(routes: readonly JudgedRoute[], document: RoutedFacts['document']): RouteThen {
  const tag_ids = [...new Set(routes.flatMap(({ then }) => then.tag_ids ?? []))];
  const metadata = Object.assign({}, ...routes.map(({ then }) => then.metadata ?? {}).toReversed());
  const name = routes.find(({ then }) => then.name !== undefined)?.then.name;
  return {
    ...(tag_ids.length > 0 && { tag_ids }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(name !== undefined && { name: filledName(name, document) }),
    ...(routes.some(({ then }) => then.never_to_model) && { never_to_model: true }),
  };
}

/** Keeps the ending of the file, which programs go by. */
function filledName(template: string, { document_name, upload_date, metadata }: RoutedFacts['document']): string {
  const ending = /\.[^.]{1,5}$/u.exec(document_name)?.[0] ?? '';
  const sender = metadata['sender'];
  const values: Record<string, string> = {
    original: document_name.slice(0, document_name.length - ending.length),
    date: upload_date.slice(0, 10),
    sender: typeof sender === 'string' ? sender : '',
  };
  const name = template.replaceAll(/\{(original|date|sender)\}/gu, (_, key: string) => values[key] ?? '').trim();
  return `${name.slice(0, 255 - ending.length) || document_name}${name === '' || name.endsWith(ending) ? '' : ending}`;
}
