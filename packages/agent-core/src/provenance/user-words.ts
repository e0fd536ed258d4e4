import { foldAccents } from './text/folded-text.ts';
import { saysDelete } from './wording/deletion-words.ts';
import { withoutQuoted } from './wording/quoted-text.ts';
import { wholeWord } from './wording/word-patterns.ts';
import { TextIndex, wordsInSteps, wordsOf } from './text/text-index.ts';

type Words = TextIndex<'message' | 'reply' | 'answer' | 'mention'>;

/** What a user wrote. */
export interface UserWords {
  /** All of it. */
  readonly person: Words;
  /** Without the quotations and texts of others in it. Only here orders are looked for. */
  readonly ownWords: Words;
  /** Normalized quotations. Each can name an object as a whole. */
  readonly quotations: ReadonlySet<string>;
  /** Since a deletion of an earlier turn: an order that was carried out orders no further deletion. */
  readonly deletionOrders: Words;
  /** Each message and answer, without accents: all of it, and the user's own words. */
  readonly messages: readonly { readonly said: string; readonly own: string; readonly isAnswer: boolean }[];
}

/** “Go on” continues what was ordered. */
const isContinuation =
  /^\s*(?:yes|ok(?:ay)?|go on|(?:please )?continue|proceed|next|ja|(?:mach )?weiter|oui|continuez|s[ií]|sigue|contin[uú]a|avanti|sim|да|продолжай|继续|はい|続けて)[\s.!]*$/iu;

/** “Is” of Italian and Portuguese: without its accent it is “and”. */
const accentedIs = /(?<![\p{L}\p{M}])[\u00e8\u00e9](?![\p{L}\p{M}])/giu;

/** Words by which the model offers more than what was ordered: “Shall I also write to them?” */
const further = wholeWord(
  `also too besides else additionally auch noch sonst außerdem zusatzlich aussi autre egalement tambien ademas mas anche altro inoltre ook nog verder
   tambem mais tez jeszcze также еще тоже`,
);

const maxOffer = 1_000;

/** Whether the last question of the model offers another thing than to delete: “no” to it withdraws no order. */
export function offersMore(answer: string): boolean {
  const last = answer.slice(-maxOffer).trimEnd();
  if (!/[?？]$/u.test(last)) return false;
  const question = foldAccents(last.slice(0, -1))
    .split(/[.!?\n]/u)
    .at(-1)!;
  const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  return further.test(words) && !saysDelete(words);
}

/** Collects what a user wrote in a conversation. */
export class WordsOfUser {
  readonly #texts: { text: string; place: 'message' | 'reply' | 'answer'; deletions: number }[] = [];
  readonly #ids: { text: string; place: 'message' | 'mention' }[] = [];
  #hasDeleted = false;
  /** Number of turns before the last message that deleted something. */
  #deletions = 0;

  /** @param isReply to an offer of the model */
  message(text: string, isReply = false): void {
    if (this.#hasDeleted && !isContinuation.test(text)) {
      this.#deletions += 1;
      this.#hasDeleted = false;
    }
    this.#texts.push({ text, place: isReply ? 'reply' : 'message', deletions: this.#deletions });
  }

  /** An answer to a question, or the reason of a rejection. */
  answer(text: string): void {
    this.#texts.push({ text, place: 'answer', deletions: this.#deletions });
  }

  /** The id of an object that the user mentioned or was offered. */
  id(text: string, place: 'message' | 'mention'): void {
    this.#ids.push({ text, place });
  }

  deleted(): void {
    this.#hasDeleted = true;
  }

  /**
   * In steps between which other work can run.
   *
   * @param withoutMentions leaves the mentions of objects out of a message
   * @param isOfDocument whether these words stand in a document that the conversation has read
   */
  *read(
    withoutMentions: (message: string) => string,
    isOfDocument: (words: readonly string[]) => boolean = () => false,
  ): Generator<void, UserWords> {
    const person: Words = new TextIndex();
    const ownWords: Words = new TextIndex();
    const deletionOrders: Words = new TextIndex();
    const quotations = new Set<string>();
    const messages: { said: string; own: string; isAnswer: boolean }[] = [];
    for (const id of this.#ids) for (const index of [person, ownWords]) index.add(id);
    for (const { text, place, deletions } of this.#texts) {
      const isAnswer = place === 'answer';
      const said = { text: isAnswer ? text : withoutMentions(text), place };
      yield* person.addInSteps(said);
      const spelled = said.text.normalize('NFC').replaceAll(accentedIs, 'est');
      yield;
      const folded = foldAccents(spelled);
      yield;
      const own = yield* withoutQuoted(folded, (quotation) => quotations.add(wordsOf(quotation).join(' ')));
      yield;
      const ownSaid = { ...said, text: yield* withoutSentences(own, isOfDocument) };
      yield* ownWords.addInSteps(ownSaid);
      messages.push({ said: folded, own: ownSaid.text, isAnswer });
      if (deletions === this.#deletions) yield* deletionOrders.addInSteps(ownSaid);
    }
    return { person, ownWords, quotations, deletionOrders, messages };
  }
}

/** A sentence with fewer words or letters can stand in a document by chance. */
const [minWords, minLetters] = [6, 24];

/** A text without the sentences that are copied from a document. */
function* withoutSentences(text: string, isOfDocument: (words: readonly string[]) => boolean): Generator<void, string> {
  const own: string[] = [];
  for (const [sentence] of text.matchAll(/[^.!?;\n。؟！？]*(?:[.!?;\n。؟！？]|$)/gu)) {
    const words = yield* wordsInSteps(sentence);
    const isOwn = words.length < minWords || words.join('').length < minLetters || !isOfDocument(words);
    if (isOwn) own.push(sentence);
  }
  return own.join('');
}
