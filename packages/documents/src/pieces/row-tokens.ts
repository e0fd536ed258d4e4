import { foldedTokens } from '../grounding/fold-text.ts';
import { leavesOf } from '../grounding/leaves.ts';

const date = /^\p{N}{1,4}([./-])\p{N}{1,2}\1\p{N}{1,4}[.,;]?$/u;
const number = /^[^\p{L}\p{N}]*\p{N}[\p{N}.,'’]*[^\p{L}\p{N}]*$/u;

/** The tokens of a text that are the same in any notation: words without case and accents, numbers by their digits. */
export function tokensOf(text: string): string[] {
  return text.split(/\s+/u).flatMap((word) => {
    if (word === '') return [];
    if (date.test(word)) return (word.match(/\p{N}+/gu) ?? []).map(digitsOf);
    if (number.test(word)) return [digitsOf(word)];
    return foldedTokens(word).map((token) => (/^\d+$/.test(token) ? digitsOf(token) : token));
  });
}

/** The tokens of all values of a row of a result. */
export function rowTokens(row: unknown): string[] {
  return leavesOf(row).flatMap(({ value }) => tokensOf(String(value)));
}

/** `1,200.50` and `1200.5` are both `#12005`, and zero is `#0`. */
function digitsOf(text: string): string {
  const digits = text.replaceAll(/\P{N}/gu, '');
  return `#${digits.replaceAll(/^0+|0+$/g, '') || '0'}`;
}
