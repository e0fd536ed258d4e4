import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxRoutes, type Document, type DocumentRouting, type Route, type RouteThen } from '@docwright/contract';
import { LruMap } from 'toad-cache';
import { compileLinearPattern } from '../schemas/index.ts';
import { isUncertain, type RouteEvidence } from './certainty/evidence.ts';

/** What routes are judged by. */
export interface RoutedFacts {
  document: Pick<Document, 'document_name' | 'mime_type' | 'page_count' | 'metadata' | 'upload_date'>;
  /** The text of all pages. */
  text: string;
  /** The source that it came from. */
  sourceId?: string | undefined;
}

export type JudgedRoute = Pick<Route, 'name' | 'when' | 'then' | 'stop' | 'trust' | 'min_confidence' | 'enabled'>;

interface Candidate<Judged> {
  route: Judged;
  why: string;
  evidence?: RouteEvidence | undefined;
}

export interface Judgement<Judged> {
  state: 'routed' | 'unsure' | 'none';
  by: Extract<DocumentRouting['by'], 'rule' | 'model'>;
  routes: Judged[];
  /** The routes between which a user decides, the likeliest first. */
  candidates: Candidate<Judged>[];
  /** The route that was taken, or would have been, by more than rules. */
  judged?: { route: Judged; evidence: RouteEvidence };
  why: string;
  /** The combined effect of the routes. */
  then: RouteThen;
}

const patterns = new LruMap<ReturnType<typeof compileLinearPattern>>(1_000);
/** Values of metadata are compared up to here: patterns cost time for each character. */
const maxComparedCharacters = 5_000;
/** Whether patterns match values, as they were compared last. All of one judgement fit. */
const matched = new LruMap<boolean>(maxRoutes * 21);
/** After this time other requests get their turn. */
const maxBlockMs = 10;

function matches(pattern: string, value: string): boolean {
  const compared = value.slice(0, maxComparedCharacters);
  const key = `${pattern}\0${compared}`;
  let isMatch = matched.get(key);
  if (isMatch === undefined) {
    let compiled = patterns.get(pattern);
    if (compiled === undefined) {
      compiled = compileLinearPattern(pattern);
      patterns.set(pattern, compiled);
    }
    isMatch = compiled.test(compared);
    matched.set(key, isMatch);
  }
  return isMatch;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Compares the patterns of all routes with a document, one after the other, with turns for other requests between them:
 * an organization can have thousands, of which each can take milliseconds. What judges afterwards finds them compared.
 */
export async function comparePatterns(
  routes: readonly Pick<JudgedRoute, 'when'>[],
  { document_name, metadata }: Pick<RoutedFacts['document'], 'document_name' | 'metadata'>,
): Promise<void> {
  let turnStarted = performance.now();
  const compare = async (pattern: string, value: string): Promise<void> => {
    matches(pattern, value);
    if (performance.now() - turnStarted < maxBlockMs) return;
    await nextTurn();
    turnStarted = performance.now();
  };
  for (const { when } of routes) {
    if (when.name_matches !== undefined) await compare(when.name_matches, document_name);
    for (const [key, pattern] of Object.entries(when.metadata ?? {})) {
      if (Object.hasOwn(metadata, key)) await compare(pattern, textOf(metadata[key]));
    }
  }
}

/** Routes with `like` or `described_as` that all rules take, up to the first one that ends the judgement by rules alone. */
export function uncertainRoutes<Judged extends JudgedRoute>(routes: readonly Judged[], facts: RoutedFacts): Judged[] {
  const hasWord = wordFinder(facts.text);
  const found: Judged[] = [];
  for (const route of routes) {
    if (!route.enabled || reasonOf(route, facts, hasWord) === undefined) continue;
    if (isUncertain(route)) found.push(route);
    else if (route.stop) break;
  }
  return found;
}

/**
 * Judges routes in their order. A route with `like` or `described_as` needs evidence; if that is not sure enough, the route
 * is a candidate, and if it would end the judgement so are all later ones.
 */
export function judgeRoutes<Judged extends JudgedRoute>(
  routes: readonly Judged[],
  facts: RoutedFacts,
  evidenceOf: ReadonlyMap<Judged, RouteEvidence> = new Map(),
): Judgement<Judged> {
  const hasWord = wordFinder(facts.text);
  const taken: Judged[] = [];
  const reasons: string[] = [];
  const candidates: Candidate<Judged>[] = [];
  let isOpen = true;
  let judged: Judgement<Judged>['judged'];
  for (const route of routes) {
    if (!route.enabled) continue;
    const reason = reasonOf(route, facts, hasWord);
    if (reason === undefined) continue;
    const evidence = isUncertain(route) ? evidenceOf.get(route) : undefined;
    if (isUncertain(route) && evidence === undefined) continue;
    const why =
      evidence === undefined ? `${reason}.` : isEmpty(reason) ? `${evidence.why}.` : `${reason}, ${evidence.why}.`;
    const isSure =
      evidence === undefined ||
      (evidence.isChosen && (route.trust || (evidence.confidence ?? 0) >= route.min_confidence));
    if (evidence?.isChosen) judged ??= { route, evidence };
    if (isOpen && isSure) {
      taken.push(route);
      reasons.push(`“${route.name}”: ${why}`);
      if (route.stop) break;
    } else {
      candidates.push({ route, why, evidence });
      if (route.stop) isOpen = false;
    }
  }
  const isUnsure = candidates.length > 0;
  const ordered = candidates.toSorted((a, b) => rank(b) - rank(a)).slice(0, maxCandidates);
  const given = together(taken, facts.document);
  // Kept from models already now: a user may find out late that it should have been.
  const isKept = candidates.some(({ route }) => route.then.never_to_model);
  return {
    state: isUnsure ? 'unsure' : taken.length > 0 ? 'routed' : 'none',
    by: evidenceBy(isUnsure ? candidates.map(({ evidence }) => evidence) : taken.map((route) => evidenceOf.get(route))),
    routes: taken,
    candidates: ordered,
    ...(judged && { judged }),
    why: [
      ...reasons,
      ...(isUnsure ? [`Not sure about ${ordered.map(({ route }) => `“${route.name}”`).join(', ')}.`] : []),
      ...(taken.length === 0 && !isUnsure ? ['No route fits.'] : []),
    ].join(' '),
    then: { ...given, ...(isKept && { never_to_model: true as const }) },
  };
}

const maxCandidates = 10;

/** Chosen ones first, then those with evidence, then those that rules alone take. */
const rank = ({ evidence }: Candidate<unknown>) =>
  evidence === undefined ? -1 : Number(evidence.isChosen) + evidence.score;

const evidenceBy = (evidence: readonly (RouteEvidence | undefined)[]) =>
  evidence.some((each) => each?.kind === 'described') ? ('model' as const) : ('rule' as const);

const takesAll = 'it takes every document';
const isEmpty = (reason: string) => reason === takesAll;

/** Folds the text once for all routes, and only if a route asks for words. */
function wordFinder(text: string): (word: string) => boolean {
  let folded: string | undefined;
  return (word) => standsIn((folded ??= fold(text)), foldedWord(word));
}

/** Why a route takes the document; undefined if it does not. */
function reasonOf(
  { when }: JudgedRoute,
  { document: { document_name, mime_type, page_count, metadata }, sourceId }: RoutedFacts,
  hasWord: (word: string) => boolean,
): string | undefined {
  const reasons: string[] = [];
  if (when.source_id !== undefined) {
    if (when.source_id.toLowerCase() !== sourceId) return undefined;
    reasons.push('it came from the source');
  }
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
    if (!matches(pattern, textOf(value))) return undefined;
    reasons.push(`its ${key} matches ${pattern}`);
  }
  if (when.text_contains !== undefined) {
    if (!when.text_contains.every(hasWord)) return undefined;
    reasons.push(`its text has ${when.text_contains.map((word) => `“${word}”`).join(', ')}`);
  }
  return reasons.length === 0 ? takesAll : reasons.join(', ');
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ');
const foldedWords = new LruMap<string>(10_000);

function foldedWord(word: string): string {
  let folded = foldedWords.get(word);
  if (folded === undefined) foldedWords.set(word, (folded = fold(word)));
  return folded;
}

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whether the text contains the words, not as parts of longer words. */
function standsIn(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const isInside =
      (isWordCharacter(words[0]) && isWordCharacter(text[at - 1])) ||
      (isWordCharacter(words.at(-1)) && isWordCharacter(text[at + words.length]));
    if (!isInside) return true;
  }
  return false;
}

/** The first route that gives a name, a value of metadata, or what starts on arrival decides it. */
function together(routes: readonly JudgedRoute[], document: RoutedFacts['document']): RouteThen {
  const tag_ids = [...new Set(routes.flatMap(({ then }) => then.tag_ids ?? []))];
  const metadata = Object.assign({}, ...routes.map(({ then }) => then.metadata ?? {}).toReversed());
  const name = routes.find(({ then }) => then.name !== undefined)?.then.name;
  const split = routes.find(({ then }) => then.split !== undefined)?.then.split;
  const on_arrival = routes.find(({ then }) => then.on_arrival !== undefined)?.then.on_arrival;
  return {
    ...(tag_ids.length > 0 && { tag_ids }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(name !== undefined && { name: filledName(name, document) }),
    ...(routes.some(({ then }) => then.never_to_model) && { never_to_model: true }),
    ...(split !== undefined && { split }),
    ...(on_arrival !== undefined && { on_arrival }),
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
