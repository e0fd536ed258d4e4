import { fold } from '../../page/fold.ts';

/** A box before a word: empty, or ticked by a cross or a check mark. */
const choice = /(?<box>[☐☒☑✓✔✗]|\[ ?x? ?\]|\( ?x? ?\))\s*(?<word>[^☐☒☑✓✔✗[\]()]*)/giu;
const startsWithBox = /^(?:[☐☒☑✓✔✗]|\[ ?x? ?\]|\( ?x? ?\))/iu;

export function isTickBox(text: string): boolean {
  return startsWithBox.test(text);
}

/**
 * The words behind the only ticked box of several; null where none or more than one is ticked, undefined where a text does not
 * offer several.
 *
 * @example tickedChoice('☐ Single  ☒ Married') // 'Married'
 */
export function tickedChoice(text: string): string | null | undefined {
  if (!isTickBox(text)) return undefined;
  const choices = [...text.matchAll(choice)].map(({ groups }) => ({
    word: groups!.word!.trim(),
    isTicked: /[☒☑✓✔✗x]/iu.test(groups!.box!),
  }));
  if (choices.filter(({ word }) => word !== '').length < 2) return undefined;
  const ticked = choices.filter(({ isTicked }) => isTicked);
  return ticked.length === 1 && ticked[0]!.word !== '' ? ticked[0]!.word : null;
}

const token =
  /(?<ticked>[☒☑✓✔✗]|\[ ?x ?\]|\( ?x ?\)|(?<!\p{L})x(?!\p{L}))|(?<empty>☐|\[ *\]|\( *\))|(?<yes>(?<!\p{L})(?:yes|true|ja|oui|si|checked)(?!\p{L}))|(?<no>(?<!\p{L})(?:no|false|nein|non|nee|unchecked)(?!\p{L}))/gu;

type Token = 'ticked' | 'empty' | 'yes' | 'no';

/**
 * The answer to a question of a form: the word that is there, the word whose box is ticked where both are there, or a box
 * alone; undefined where it could be either.
 *
 * @example yesOrNo('☐ Yes ☒ No') // false
 */
export function yesOrNo(text: string): boolean | undefined {
  const folded = fold(text).trim();
  const tokens = [...folded.matchAll(token)].map(({ groups }) => {
    const [kind] = Object.entries(groups!).find(([, found]) => found !== undefined)!;
    return { kind: kind as Token };
  });
  const kinds = tokens.map(({ kind }) => kind);
  const [first] = kinds;
  // What comes first must start the text: a later word belongs to a sentence.
  if (first === undefined || folded.search(token) > 0) return undefined;
  const isMark = (kind: Token | undefined): boolean => kind === 'ticked' || kind === 'empty';
  if (!kinds.includes('yes') || !kinds.includes('no')) return first === 'ticked' || first === 'yes';
  if (kinds.filter((kind) => kind === 'ticked').length !== 1) return undefined;
  const at = kinds.indexOf('ticked');
  // Boxes stand before their words or behind them; `yes x no` could be either.
  const chosen = isMark(first) ? kinds[at + 1] : isMark(kinds.at(-1)) ? kinds[at - 1] : undefined;
  return chosen === 'yes' ? true : chosen === 'no' ? false : undefined;
}
