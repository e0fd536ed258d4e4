import { isDeferred, isForLater, isTime, namesCondition, withoutFormality } from './wording/deferred-orders.ts';
import { attributes, tells } from './wording/reported-orders.ts';
import {
  contrasts,
  forbidsNothing,
  hasToGo,
  isAlarm,
  isBareNo,
  isReasonOrWithdrawal,
  isRefusal,
  isWithdrawn,
  namedInstead,
  pointsOut,
  states,
  statesNot,
  subjectOf,
  withoutException,
} from './wording/withdrawn-orders.ts';
import { saysDelete } from './wording/deletion-words.ts';
import { wordsOf } from './text/text-index.ts';
import { imperative, inquiry, isPolite, questionSigns, questionWord } from './wording/order-forms.ts';
import { otherThings, wholeWord } from './wording/word-patterns.ts';

/** A clause of what a user wrote: its words in lower case without accents, divided by single spaces. */
export interface Clause {
  readonly words: string;
  /** It asks for an answer, as in “what is the total” and “tell me the total”. */
  readonly isQuestion: boolean;
  /** Its sentence names a condition, as in “if the client agrees, delete it”. */
  readonly isConditional: boolean;
  /** It says how something is, as in “it is paid”. */
  readonly isStatement: boolean;
}

const negation = wholeWord(`
  inte ikke icke nu ala alkaa nem ei jangan 
  not don dont doesn never cannot without n ne pas jamais non nao nunca no не нельзя никогда لا אל לא μη μην δεν`);
/** They can follow the verb of an order. */
const laterNegation = wholeWord('nicht nichts nie niemals kein keine keinen niet niets nooit geen');
const negationSigns =
  /不要(?!的)|不用(?!的)|不必|勿|[不别別](?=[处處]理|[读讀]|分析|[发發]布|批准|删|刪)|ないで|しない|ません|지 ?마|않|(?:^| )nu (?:o |il |le )?(?:sterg|elimin)/u;
/** “Delete nothing”. */
const nothing =
  /^(?:it |this |that |them |le |la |les )?(?:not|nothing|rien|pas|nada|nulla|niente|ничего|τιποτα)(?: |$)/u;
/** “I do not need it, delete it” orders behind a reason, “do not read it, process it” does not. */
const reason =
  /^(?:because |since |as |ya )?(?:i|we|it|this|that|these|they|he|she|nobody|nadie|nessuno|niemand|keiner|ninguem|nikt|(?:plus )?personne|никто|there|you|the|ich|wir|es|das|dieses|er|sie|man|je|j|nous|on|il|elle|ce|c|cela|ya|io|questo|eu|isso|мы|мне|нам|он|она|оно|они|это|я) /u;
/** “I do not want to delete it” is no reason. */
const wishes = wholeWord(`
  want wants mean meant wish intend mochten? will wollen wollten? veux voulais voulons voulions quiero queremos queria voglio vogliamo volevo quero queremos wil willen
  wilde chce chcemy хочу хотим хотел хотела`);
/** “I could not delete it, please do” and “I have not deleted it” are reasons. “We should not delete it” forbids. */
const unable =
  /^(?:(?:i|ich|je|j|yo|io|eu|ik) (?:[^ ]+ )?(?:can|cannot|could|couldn|am|kann|konnte|peux|pouvais|arrive|puedo|pude|riesco|posso|kan|kon)|(?:[^ ]+ ){1,2}(?:have|has|had|haven|hasn|did|didn|hat|habe|haben|ai|a|avons|ha|he|hemos|ho|abbiamo|heb|heeft))(?= )/u;
/** “The prompt is no longer needed, delete it” orders behind a reason too. */
const outlived =
  /(?:^| )(?:no longer|nicht mehr|niet meer|ya no|ja nao|больше не)(?= )|(?:^| )(?:не нуж(?:ен|на|но|ны)|non serv(?:e|ono)(?: piu)?)(?= |$)|^(?:not|nicht|pas|niet|nie) (?:needed|required|used|necessary|gebraucht|benotigt|notig|necessaire|nodig)$/u;
/** “The prompt must not read the tax” orders a change of the prompt, “the prompt must not be changed” does not. */
const rule =
  /^(?:[^ ]+ )?(?:prompt|schema|esquema) (?:must|should|shall|soll|sollte|darf|muss|ne doit|no debe|non deve)(?= )(?!.*(?:chang|delet|remov|edit|touch|ander|losch|modif|supprim|borr|elimin|cancell))/u;
/** “No, publish it” answers. */
const isAnswer = /^(?:no|non|nein|nee|nao)$/u;
/** “Before we delete it, explain it”: what stands behind these words in a clause is not ordered. */
const earlier =
  /(?:^| )(?:before|bevor|ehe|avant (?:de|d|que|qu)|antes (?:de|que)|prima (?:di|che)|voordat|zanim|прежде чем|قبل ان|לפני ש|πριν)(?: .*|$)/u;
/** “No. 4711” ends no sentence behind “no.”. */
const endOfSentence =
  /(?<=[.!?;\n。؟！？])(?<!(?<!\p{L})n[or]\.(?= ?[\d-]*\d(?: *(?:$|[.,;:!?)\n])| (?:is|was|has|on|in|from|of|for|by|and|to|as|dated)(?!\p{L}))))/u;
const betweenClauses = /([,:،、，()–—]|(?<= )(?:and|und|et|y|e|ed|en|then|и|και)(?= ))/u;
const greek = /\p{sc=Greek}/u;
const wordsIn = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

export interface Spared {
  /** Normalized words of the clause that forbids. */
  readonly forbidden: string;
  readonly instead: string;
}

/** What a sentence says: its clauses without those behind a report or a negated order and without what follows a question word. */
export interface Sentence {
  readonly clauses: Clause[];
  /** Normalized words that can name an object, and those that say which one is not meant. “|” stands for what is left out. */
  readonly said: string;
  readonly refused: string;
  /** What is spoken of as it is, or has to go: “Paid is wrong”. It names what is changed or removed, and nothing that is put on a document. */
  readonly told: string;
  /** What is not meant, with the order to do something else with it: “do not delete the tag Paid, but rename it”. */
  readonly spared: readonly Spared[];
  /** “That is Paid”: it can answer which one is meant. */
  readonly pointed?: string;
  /** A clause withdraws what was ordered before. */
  readonly isWithdrawal: boolean;
  /** It says no more than no: an answer to the question before it, or a withdrawal. */
  readonly isBareNo?: true;
  /** “Wrong file”: it withdraws what earlier messages ordered, unless an order stands before it in the same message. */
  readonly isReason?: true;
  /** “Wrong file” behind it gives a reason for what it orders. */
  readonly canHaveReason: boolean;
  /** “If it is an invoice, tag it” and “not Urgent, but Paid” order, in words that are no clause of an order. */
  readonly isOrdering: boolean;
}

const nothingSaid: Sentence = {
  clauses: [],
  said: '',
  refused: '',
  told: '',
  spared: [],
  isWithdrawal: false,
  canHaveReason: false,
  isOrdering: false,
};
const condition =
  /^(?:and |und |et |y |e )?(?:if|when|wenn|quand|cuando|quando|wanneer|si|se|als|falls|когда|если)(?= )/u;

function readSentence(sentence: string): Sentence {
  const all = wordsIn(sentence);
  if (isDeferred(all, sentence)) return nothingSaid;
  if (isRefusal(all)) return { ...nothingSaid, isWithdrawal: true };
  if (isBareNo(all)) return { ...nothingSaid, isBareNo: true };
  const isAsked = (/[?؟？]$/u.test(sentence) || (sentence.endsWith(';') && greek.test(sentence))) && !isPolite(all);
  let clauses: Clause[] = [];
  let [said, refused, told] = ['', '', ''];
  let spared: Spared[] = [];
  // Every second piece is a separator.
  const pieces = sentence.split(betweenClauses);
  const parts = pieces
    .filter((_, at) => at % 2 === 0)
    .map((part) => forbidsNothing(withoutFormality(wordsIn(part).replace(earlier, ''))));
  let isSentenceConditional = namesCondition(withoutFormality(all), sentence);
  let isWithdrawal = false;
  let isExcepted = false;
  let isOrdering = false;
  let isReason = false;
  let canHaveReason = false;
  let isStated = false;
  let forbidden: string | undefined;
  let forbiddenAt = 0;
  const last = parts.findLastIndex((words) => words !== '');
  for (const [at, words] of parts.entries()) {
    const piece = normalized(pieces[2 * at]!);
    const between = normalized(pieces[2 * at - 1] ?? '');
    const isOfReason = isReasonOrWithdrawal(words);
    // “Oh no, please don’t!” “Oops, wrong file”
    if (isWithdrawn(words) || (at === last && isRefusal(words)) || (isOfReason && isAlarm(parts[at - 1] ?? ''))) {
      clauses = [];
      [said, refused, told] = ['', '', ''];
      spared = [];
      isWithdrawal = true;
      continue;
    }
    isReason ||= isOfReason && !canHaveReason;
    if (words === '' || isOfReason || isAnswer.test(words)) continue;
    const isOrder = imperative.test(words);
    if (forbidden !== undefined) {
      // “Not Urgent, but Paid” names one, “do not summarise it, but delete it” orders.
      const name = namedInstead(words);
      const ordersInstead = isOrder || (name !== undefined && imperative.test(name));
      if (name !== undefined && !ordersInstead && !inquiry.test(`${name} `)) {
        said += ` | ${piece}`;
        isOrdering ||= !isAsked && !statesNot(forbidden);
        continue;
      }
      if (!contrasts(forbidden, words, ordersInstead)) {
        refused += ` ${between} ${piece}`;
        continue;
      }
      if (meansTheSame.test(words)) spared.push({ forbidden: normalized(pieces[2 * forbiddenAt]!), instead: words });
      forbidden = undefined;
    }
    isStated = !isOrder && (states(words) || (isStated && addsTo.test(words) && !otherThings.test(words)));
    // “Delete it, Anna said.”
    if (attributes(words)) clauses = [];
    if (tells(words, isOrder)) {
      // “Anna says we may not delete it, so leave it.”
      if (parts.slice(at + 1).some(isWithdrawn)) return { ...nothingSaid, isWithdrawal: true };
      break;
    }
    // “Tomorrow, delete it.”
    if (isTime(words)) isSentenceConditional = true;
    const isConditional = isSentenceConditional || isForLater(words);
    const asksFrom = words.search(questionWord);
    const before = asksFrom === -1 ? words : words.slice(0, asksFrom);
    // “See which are not needed” forbids nothing.
    if (isNegated(before === '' || laterNegation.test(words) ? words : before)) {
      const isUnwanted = saysDelete(words) && (wishes.test(words) || !unable.test(words));
      if (!isUnwanted && (outlived.test(words) || (reason.test(words) && words.split(' ').length > 2))) {
        said += ` ${between} ${piece}`;
        isStated ||= statesNot(words);
        continue;
      }
      refused += ` | ${piece}`;
      [forbidden, forbiddenAt] = [words, at];
      continue;
    }
    if (isOrder) isExcepted = false;
    const [meant, excepted, isOpen]: readonly [string, string, boolean] = isExcepted
      ? ['', piece, true]
      : withoutException(piece);
    isExcepted = isOpen;
    // “It is paid” names no tag Paid, also if another sentence orders something.
    const isOnlyTold = isStated || hasToGo.test(words);
    if (isOnlyTold) told += ` | ${states(words) ? subjectOf(meant) : meant}`;
    said += ` ${between} ${isOnlyTold ? '|' : meant}${excepted === '' ? '' : ' |'}`;
    refused += ` | ${excepted}`;
    const isInquiry = inquiry.test(words);
    // “Read it, what is the total?” asks first and orders nothing after.
    const isQuestion = isInquiry || (isAsked && at === last) || (questionSigns.test(words) && !isPolite(words));
    // “You can do all but delete it” orders no deletion.
    const [ordering, , isCut] = withoutException(before);
    canHaveReason ||= !isQuestion && (isOrder || (saysDelete(before) && !reason.test(before)));
    if (before !== '')
      clauses.push({ words: isCut ? ordering.trim() : before, isQuestion, isConditional, isStatement: isStated });
    if (asksFrom === -1) continue;
    clauses.push({ words: words.slice(asksFrom).trim(), isQuestion: true, isConditional, isStatement: false });
    // “Tell me what the total is and tag it” goes on, “who will read and process it” does not.
    if (isInquiry || before !== '') continue;
    if (condition.test(words) && parts.slice(at + 1).some((next) => imperative.test(next))) {
      isOrdering = true;
      said += ` ${pieces
        .slice(2 * at + 1)
        .map(normalized)
        .join(' ')}`;
    }
    break;
  }
  return {
    ...(pointsOut(all) && { pointed: all }),
    clauses,
    said,
    refused,
    told,
    spared,
    isWithdrawal,
    ...(isReason && { isReason }),
    canHaveReason,
    isOrdering,
  };
}

/** “Rename it”, “benenne es um”, “rinominala”: an order for what the clause before speaks of. */
const meansTheSame =
  /(?: |^)(?:it|them|that|this|es|sie|ihn|le|la|les|lo|los|las|l|haar|hem|ze|go|ja|je|его|ее|их)(?= |$)|[aei]l[aoie](?= |$)|[ae]l[ao]s(?= |$)/u;
/** A few words more of a statement: “it is overdue, urgent”, “not overdue, but paid”. “We got it, mark it as Paid” orders. */
const addsTo =
  /^(?!.* (?:as|als|como|comme|come) [^ ]+$)(?!.* (?:drauf|dran|rein|dazu|weg|raus|op|erop|aan|bij)$)(?:[^ ]+ ){0,3}[^ ]+$/u;

const normalized = (text: string): string => wordsOf(text).join(' ');

function isNegated(words: string): boolean {
  if (rule.test(words)) return false;
  if (laterNegation.test(words) || negationSigns.test(words)) return true;
  const order = imperative.exec(words);
  // “Delete the tags that I do not need” is an order.
  return order === null ? negation.test(words) : nothing.test(words.slice(order[0].length));
}

/**
 * Whether the first sentence of a text withdraws what was ordered before.
 *
 * @param isAnswer to a question of the model: “no” answers it
 */
export function beginsWithWithdrawal(text: string, isAnswer: boolean): boolean {
  const [first] = sentencesIn(text).take(1);
  return first?.isWithdrawal === true || (!isAnswer && (first?.isBareNo ?? first?.isReason) === true);
}

/** The sentences of a text in lower case without accents. */
export function* sentencesIn(text: string): Generator<Sentence, void> {
  const ends = new RegExp(endOfSentence, 'gu');
  for (let from = 0; from < text.length;) {
    ends.lastIndex = from + 1;
    const end = ends.exec(text)?.index ?? text.length;
    const sentence = text.slice(from, end).trim();
    if (sentence !== '') yield sentence.length > maxSentence ? readLong(sentence) : readSentence(sentence);
    from = end;
  }
}

const maxSentence = 2_000;

/** Of a longer sentence, which nobody says, only what it forbids counts. */
function readLong(sentence: string): Sentence {
  const { refused, isWithdrawal } = readSentence(sentence.slice(0, maxSentence));
  return { ...nothingSaid, refused, isWithdrawal };
}
