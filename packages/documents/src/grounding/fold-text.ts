const beyondAscii = /[\u0080-\u{10ffff}]/u;
const marks = /\p{M}/gu;
const asciiTokens = /[a-z0-9]+/g;
const ideograph = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
/** In scripts without spaces, each character is a token. */
const tokens = new RegExp(`[${ideograph}]|(?:(?![${ideograph}])[\\p{L}\\p{N}])+`, 'gu');

/** Lower case without accents and ligatures. */
function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(marks, '').toLowerCase().replaceAll('ß', 'ss');
}

/** The runs of letters and digits of a text, folded. */
export function foldedTokens(text: string): string[] {
  const folded = foldText(text);
  return folded.match(beyondAscii.test(folded) ? tokens : asciiTokens) ?? [];
}
