import { imperative, sentencesIn, type Clause, type Sentence } from './asked-clauses.ts';
import type { SeenContent } from './seen-content.ts';

/** The user's own words, without those of others in them. */
type Person = SeenContent['ownWords'];

/** A message, an answer or an id of the user. */
export interface Said {
  /** Normalized words that can name an object, between spaces, and those that say which one is not meant. */
  readonly said: string;
  readonly refused: string;
  /** The user orders something in it, or writes nothing but names. */
  readonly isOrdering: boolean;
}

interface Spoken {
  readonly orders: readonly (Clause & { readonly at: number })[];
  /** Messages since the last one that takes back what was ordered before. */
  readonly texts: readonly Said[];
  /** Clauses of questions whose answer the next message orders to use: “list the tags”, then “delete the first two”. */
  readonly referred: readonly string[];
}

/** What is meant of a list that was asked for. “It” can mean anything. */
const ofList =
  /(?:^| )(?:them|both|the (?:first|last|second|third)(?: (?:ones?|two|three|four))?|die (?:ersten?|letzten?|zweite|dritte)(?: (?:beiden|zwei|drei))?|das (?:erste|letzte|zweite|dritte)|beide|davon|les (?:deux )?(?:premier|dernier)e?s|l[ea] (?:premiere?|derniere?|deuxieme)|les deux|toutes|tous|l[ao]s (?:dos|tres)(?: (?:primer|ultim)[ao]s)?|l[ao]s (?:primer|ultim)[ao]s|todas|todos)(?: (?:please|bitte|too|of them|all|now|then|on|off|away|out|weg|drauf))*$/u;
/** “Read both” does nothing with the objects of a list. */
const reads = /(?:^| )(?:read|extract|process|run|rerun|release|publish|lance)(?= )/u;

const knownSpoken = new WeakMap<Person, Spoken>();

/**
 * The clauses in which a user orders something. What a question is about counts if an order follows it: “Which tag fits? Put
 * it on.”, “List the tags and delete the unused ones.”
 */
export const orderingClauses = (person: Person): readonly string[] => spokenBy(person).orders.map(({ words }) => words);

/** The messages of a user, without those before one that takes them back. */
export const saidBy = (person: Person): readonly Said[] => spokenBy(person).texts;

/** The questions of a list that the user orders to use. They say which kind is meant, and order nothing themselves. */
export const referredBy = (person: Person): readonly string[] => spokenBy(person).referred;

const knownSentences = new WeakMap<object, readonly Sentence[]>();

/** The sentences of a text that is the same object in the words of a turn and in those since a deletion. */
function sentencesOf(text: string, of: object): readonly Sentence[] {
  const known = knownSentences.get(of);
  if (known !== undefined) return known;
  const sentences = [...sentencesIn(text)];
  knownSentences.set(of, sentences);
  return sentences;
}

/** Reads the sentences of a user one after the other, so that other work can go on between them: messages can be long. */
export function* readSentences(person: Person): Generator<void, void> {
  const texts: [string, object][] = [];
  person.someText((text, of) => {
    texts.push([text, of]);
    return false;
  });
  for (const [text, of] of texts) {
    if (knownSentences.has(of)) continue;
    const sentences: Sentence[] = [];
    for (const sentence of sentencesIn(text)) {
      sentences.push(sentence);
      yield;
    }
    knownSentences.set(of, sentences);
  }
}

function spokenBy(person: Person): Spoken {
  const known = knownSpoken.get(person);
  if (known !== undefined) return known;
  let orders: Spoken['orders'][number][] = [];
  let texts: Said[] = [];
  let referred: string[] = [];
  let asked: string[] = [];
  person.someText((text, of) => {
    let sentences = sentencesOf(text, of);
    const withdrawal = sentences.findLastIndex(({ isWithdrawal }) => isWithdrawal);
    if (withdrawal !== -1) {
      [orders, texts, referred, asked] = [[], [], [], []];
      sentences = sentences.slice(withdrawal);
    }
    const own: Clause[] = [];
    const questions: string[] = [];
    let isFollowed = false;
    for (const clause of sentences.flatMap(({ clauses }) => clauses).toReversed()) {
      if (!clause.isQuestion || isFollowed) own.push(clause);
      else questions.push(clause.words);
      if (!clause.isQuestion) isFollowed = imperative.test(clause.words);
    }
    if (own.some(({ words }) => imperative.test(words) && ofList.test(words) && !reads.test(words)))
      referred = referred.concat(asked);
    asked = questions;
    const at = texts.length;
    const isOrdering = own.length > 0 || !/\p{L}/u.test(text) || sentences.some((each) => each.isOrdering);
    // Not as arguments of one call: there can be more than the stack holds.
    for (const clause of own) orders.push({ ...clause, at });
    const [said, refused] = (['said', 'refused'] as const).map((which) =>
      ` ${sentences.map((sentence) => sentence[which]).join(' | ')} `.replaceAll(/ +/gu, ' '),
    ) as [string, string];
    texts.push({ said, refused, isOrdering });
    return false;
  });
  const spoken = { orders, texts, referred };
  knownSpoken.set(person, spoken);
  return spoken;
}

/** The clauses in which the user orders what one of these patterns tells, without those that a later message forbids. */
function ordered(person: Person, patterns: readonly RegExp[]): readonly Clause[] {
  const { orders, texts } = spokenBy(person);
  const isTold = (words: string): boolean => patterns.some((pattern) => pattern.test(words));
  const told = orders.filter(({ words }) => isTold(words));
  if (told.length === 0) return [];
  // Once for all clauses: both can be thousands.
  const forbidden = texts.findLastIndex(({ refused }) => refused.split(' | ').some(isTold));
  return told.filter(({ at }) => at >= forbidden);
}

/** Whether a clause in which the user orders something matches one of these patterns. */
export const isOrdered = (person: Person, ...patterns: readonly RegExp[]): boolean =>
  ordered(person, patterns).length > 0;

/** The words of such clauses without a condition. */
export const orderedAtOnce = (person: Person, ...patterns: readonly RegExp[]): readonly string[] =>
  ordered(person, patterns).flatMap(({ words, isConditional }) => (isConditional ? [] : [words]));
