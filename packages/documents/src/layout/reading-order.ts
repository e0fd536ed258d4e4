import type { Word } from '../page.ts';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;
const letter = /\p{L}/u;
const FIRST_RIGHT_TO_LEFT = 0x590;

/** Orders a row left to right. A row that is mostly right-to-left is reversed, except its runs of other words. */
export function inReadingOrder<RowWord extends Word>(words: RowWord[]): RowWord[] {
  if (!words.some(isRightToLeftWord)) return words;
  const lettered = words.filter((word) => letter.test(word.text));
  const turned = lettered.filter(isRightToLeftWord).length;
  if (turned * 2 < lettered.length) return words;
  const ordered: RowWord[] = [];
  let run: RowWord[] = [];
  for (const word of words.toReversed()) {
    if (isRightToLeftWord(word)) {
      ordered.push(...run, word);
      run = [];
    } else {
      run.unshift(word);
    }
  }
  return [...ordered, ...run];
}

/** The middle letter is a cheap first check: brackets and quotes are at the ends. */
function isRightToLeftWord({ text }: Word): boolean {
  return text.charCodeAt(text.length >> 1) >= FIRST_RIGHT_TO_LEFT && rightToLeft.test(text);
}
