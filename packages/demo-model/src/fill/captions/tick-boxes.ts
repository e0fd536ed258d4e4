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
