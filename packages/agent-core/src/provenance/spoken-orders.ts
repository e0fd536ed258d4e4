import { sentencesIn, type Clause, type Sentence, type Spared } from './asked-clauses.ts';
import type { SeenContent } from './seen-content.ts';
import { isAlarm, leavesOpen } from './wording/withdrawn-orders.ts';
import { imperative } from './wording/order-forms.ts';
import { anyOf, lead } from './wording/word-patterns.ts';

/** The user's own words, without those of others in them. */
type Person = SeenContent['ownWords'];

/** A message, an answer or an id of the user. */
export interface Said {
  /** Normalized words that can name an object, between spaces, and those that say which one is not meant. */
  readonly said: string;
  readonly refused: string;
  readonly told: string;
  readonly spared: readonly Spared[];
  /** The user orders something in it, or writes nothing but names. */
  readonly isOrdering: boolean;
}

interface Spoken {
  readonly orders: readonly (Clause & { readonly at: number })[];
  /** Messages since the last one that withdraws what was ordered before. */
  readonly texts: readonly Said[];
  /** Clauses of questions whose answer the next message orders to use: “list the tags”, then “delete the first two”. */
  readonly referred: readonly { readonly words: string; readonly at: number }[];
}

/** What is meant of a list that was asked for. “It” can mean anything. */
const ofList =
  /(?:^| )(?:them|both|the (?:first|last|second|third)(?: (?:ones?|two|three|four))?|die (?:ersten?|letzten?|zweite|dritte)(?: (?:beiden|zwei|drei))?|das (?:erste|letzte|zweite|dritte)|beide|davon|les (?:deux )?(?:premier|dernier)e?s|l[ea] (?:premiere?|derniere?|deuxieme)|les deux|toutes|tous|l[ao]s (?:dos|tres)(?: (?:primer|ultim)[ao]s)?|l[ao]s (?:primer|ultim)[ao]s|todas|todos)(?: (?:please|bitte|too|of them|all|now|then|on|off|away|out|weg|drauf))*$/u;
/** Orders that can mean tags. “Read both” and “correct them” seldom do. */
const ofTags = new RegExp(
  `^${lead}${anyOf(`
    use apply put add take set assign give attach choose pick rename merge delete remove erase discard clean clear tidy drop trash bin purge throw
    nimm verwende verwenden nutze setz setze gib hang hange wahle benenn benenne losch losche entfern entferne raum raume wirf
    mets mettez utilise utilisez applique appliquez ajoute ajoutez prends supprime supprimez efface retire enleve jette
    usa use pon aplica agrega anade elige borra elimina quita applica aggiungi scegli cancella rimuovi apaga exclua deita joga tira
    haal gooi verwijder usun skasuj wyrzuc wywal remova remove apague exclui удали удалите убери уберите сотри сотрите выброси поставь`)} `,
  'u',
);

const knownSpoken = new WeakMap<Person, Spoken>();

/**
 * The clauses in which a user orders something. What a question is about counts if an order follows it: “Which tag fits? Put
 * it on.”, “List the tags and delete the unused ones.”
 */
export const orderingClauses = (person: Person): readonly string[] => spokenBy(person).orders.map(({ words }) => words);

/** The messages of a user, without those before one that takes them back. */
export const saidBy = (person: Person): readonly Said[] => spokenBy(person).texts;

const maxAtEdge = 500;

/** The first and the last ones of a message: orders between thousands of others are asked about, and what forbids always counts. */
const atEdges = <Each>(all: readonly Each[], counts: (each: Each) => boolean = () => false): readonly Each[] =>
  all.filter((each, at) => at < maxAtEdge || at >= all.length - maxAtEdge || counts(each));

const forbids = ({ refused, isWithdrawal, isBareNo, isReason }: Sentence): boolean =>
  refused !== '' || isWithdrawal || isBareNo === true || isReason === true;

const knownSentences = new WeakMap<object, readonly Sentence[]>();

/** The sentences of a text that is the same object in the words of a turn and in those since a deletion. */
function sentencesOf(text: string, of: object): readonly Sentence[] {
  const known = knownSentences.get(of);
  if (known !== undefined) return known;
  const sentences = atEdges([...sentencesIn(text)], forbids);
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
    knownSentences.set(of, atEdges(sentences, forbids));
  }
}

const asks = (sentence: Sentence | undefined): boolean =>
  sentence?.clauses.some(({ isQuestion }) => isQuestion) === true;

/** Whether a sentence such as “wrong file” gives a reason for an order before it. Behind “oops!” it does not. */
const givesReason = (sentences: readonly Sentence[], at: number): boolean =>
  !isAlarm(sentences[at - 1]?.said ?? '') && firstWithReason(sentences) < at;

const knownFirst = new WeakMap<readonly Sentence[], number>();

function firstWithReason(sentences: readonly Sentence[]): number {
  const first = knownFirst.get(sentences) ?? sentences.findIndex(({ canHaveReason }) => canHaveReason);
  knownFirst.set(sentences, first);
  return first === -1 ? Infinity : first;
}

/** What the answer “no” forbids: the question is the model's, so that it can be about a deletion. Other orders stand. */
const deletes = 'delete it';

function spokenBy(person: Person): Spoken {
  const known = knownSpoken.get(person);
  if (known !== undefined) return known;
  let orders: Spoken['orders'][number][] = [];
  let texts: Said[] = [];
  let referred: Spoken['referred'][number][] = [];
  let asked: string[] = [];
  let isOpen = false;
  person.someText((text, of) => {
    let sentences = sentencesOf(text, of);
    const isAnswer = of.place === 'answer';
    const withdrawal = sentences.findLastIndex(
      ({ isWithdrawal, isBareNo, isReason }, at) =>
        isWithdrawal ||
        (isBareNo === true && !isAnswer && of.place !== 'reply' && !asks(sentences[at - 1])) ||
        (isReason === true && !givesReason(sentences, at)),
    );
    if (withdrawal !== -1) {
      [orders, texts, referred, asked] = [[], [], [], []];
      isOpen = false;
      sentences = sentences.slice(withdrawal);
    }
    const own: Clause[] = [];
    const questions: string[] = [];
    let isFollowed = false;
    for (const clause of atEdges(sentences.flatMap(({ clauses }) => clauses)).toReversed()) {
      if (!clause.isQuestion || isFollowed) own.push(clause);
      else questions.push(clause.words);
      if (!clause.isQuestion) isFollowed = imperative.test(clause.words);
    }
    const at = texts.length;
    if (own.some(({ words }) => ofTags.test(words) && ofList.test(words)))
      referred = referred.concat(asked.map((words) => ({ words, at })));
    asked = questions;
    const pointed = isOpen && sentences.length === 1 ? sentences[0]!.pointed : undefined;
    isOpen = own.some(({ words }) => leavesOpen(words));
    const isOrdering =
      pointed !== undefined ||
      own.some(({ isStatement }) => !isStatement) ||
      !/\p{L}/u.test(text) ||
      sentences.some((each) => each.isOrdering);
    // Not as arguments of one call: there can be more than the stack holds.
    for (const clause of own) orders.push({ ...clause, at });
    const [said, refused, told] = (['said', 'refused', 'told'] as const).map((which) =>
      ` ${sentences.flatMap((sentence) => (sentence[which] === '' ? [] : sentence[which])).join(' | ')} `.replaceAll(
        / +/gu,
        ' ',
      ),
    ) as [string, string, string];
    texts.push({
      said: pointed === undefined ? said : `${said}${pointed} `,
      refused: isAnswer && sentences.some(({ isBareNo }) => isBareNo) ? `${refused} | ${deletes} ` : refused,
      told,
      spared: sentences.flatMap((each) => each.spared),
      isOrdering,
    });
    return false;
  });
  const spoken = { orders, texts, referred };
  knownSpoken.set(person, spoken);
  return spoken;
}

/** Those of some clauses that match one of these patterns, without those that a later message forbids. */
function standing<Told extends Spoken['referred'][number]>(
  clauses: readonly Told[],
  texts: Spoken['texts'],
  patterns: readonly RegExp[],
): readonly Told[] {
  const isTold = (words: string): boolean => patterns.some((pattern) => pattern.test(words));
  const told = clauses.filter(({ words }) => isTold(words));
  if (told.length === 0) return [];
  // Once for all clauses: both can be thousands.
  const forbidden = texts.findLastIndex(({ refused }) => {
    const pieces = refused.split(' | ').filter((each) => each !== '' && each !== ' ');
    return pieces.length > 2 * maxAtEdge || pieces.some(isTold);
  });
  return told.filter(({ at }) => at >= forbidden);
}

/** The clauses in which the user orders what one of these patterns tells. */
function ordered(person: Person, patterns: readonly RegExp[]): readonly Clause[] {
  const { orders, texts } = spokenBy(person);
  return standing(orders, texts, patterns);
}

/** Whether the user orders to use a list of what one of these patterns tells. The question of the list orders nothing itself. */
export function refersTo(person: Person, ...patterns: readonly RegExp[]): boolean {
  const { referred, texts } = spokenBy(person);
  return standing(referred, texts, patterns).length > 0;
}

/** Whether a clause in which the user orders something matches one of these patterns. */
export const isOrdered = (person: Person, ...patterns: readonly RegExp[]): boolean =>
  ordered(person, patterns).length > 0;

/** The words of such clauses without a condition. */
export const orderedAtOnce = (person: Person, ...patterns: readonly RegExp[]): readonly string[] =>
  ordered(person, patterns).flatMap(({ words, isConditional }) => (isConditional ? [] : [words]));
