import { fold } from '../../page/fold.ts';

/** A box before a word: empty, or ticked with a cross or a check mark. */
const choice = /(?<box>[☐☒☑✓✔✗]|\[ ?x? ?\]|\( ?x? ?\))\s*(?<word>[^☐☒☑✓✔✗[\]()]*)/giu;
const startsWithBox = /^(?:[☐☒☑✓✔✗]|\[ ?x? ?\]|\( ?x? ?\))/iu;

export function isTickBox(text: string): boolean {
  return startsWithBox.test(text);
}

/**
 * The words after the only ticked box of several. Null when no box or more than one is ticked; undefined when the text does
 * not have several boxes.
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

/**
 * The option of a list that has a cross before it, in cells of one or several lines. Undefined when none or several have one.
 *
 * @example crossedOption([['Urgent'], ['X', 'Routine']]) // 'Routine'
 */
export function crossedOption(lines: readonly (readonly string[])[]): string | undefined {
  const crossed = lines.flatMap((cells) =>
    cells.flatMap((text, index) => {
      if (cells[index - 1] !== undefined && /^x$/iu.test(cells[index - 1]!)) return [text];
      return /^X (?<option>\p{L}.*)$/u.exec(text)?.groups?.option ?? [];
    }),
  );
  return crossed.length === 1 ? crossed[0] : undefined;
}

const token =
  /(?<ticked>[☒☑✓✔✗]|\[ ?x ?\]|\( ?x ?\)|(?<!\p{L})x(?!\p{L}))|(?<empty>☐|\[ *\]|\( *\))|(?<yes>(?<!\p{L})(?:yes|true|ja|oui|si|checked)(?!\p{L}))|(?<no>(?<!\p{L})(?:no|false|nein|non|nee|unchecked)(?!\p{L}))/gu;

type Token = 'ticked' | 'empty' | 'yes' | 'no';

/**
 * The answer to a yes-or-no question: the only word, the ticked one of two words, or a box alone. Undefined when the text
 * can mean both.
 *
 * @example yesOrNo('☐ Yes ☒ No') // false
 */
export function yesOrNo(text: string): boolean | undefined {
  const folded = fold(text).trim();
  const kinds = [...folded.matchAll(token)].map(
    ({ groups }) => Object.entries(groups!).find(([, found]) => found !== undefined)![0] as Token,
  );
  const [first] = kinds;
  // The first token must start the text: a later word belongs to a sentence.
  if (first === undefined || folded.search(token) > 0) return undefined;
  const isMark = (kind: Token | undefined): boolean => kind === 'ticked' || kind === 'empty';
  if (!kinds.includes('yes') || !kinds.includes('no')) return first === 'ticked' || first === 'yes';
  if (kinds.filter((kind) => kind === 'ticked').length !== 1) return undefined;
  const tickedAt = kinds.indexOf('ticked');
  // Boxes come before their words or after them; `yes x no` could mean both.
  const chosen = isMark(first) ? kinds[tickedAt + 1] : isMark(kinds.at(-1)) ? kinds[tickedAt - 1] : undefined;
  return chosen === 'yes' ? true : chosen === 'no' ? false : undefined;
}
