export interface TextPart {
  text: string;
  quoted: boolean;
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Cuts the text around the first place of the quote; gaps between its words may be of any kind and width. */
export function splitAtQuote(text: string, quote: string | null): TextPart[] {
  const words = (quote ?? '').split(/\s+/).filter(Boolean).map(escaped);
  const found = words.length === 0 ? null : new RegExp(words.join('\\s+'), 'iu').exec(text);
  if (!found) return [{ text, quoted: false }];
  return [
    { text: text.slice(0, found.index), quoted: false },
    { text: found[0], quoted: true },
    { text: text.slice(found.index + found[0].length), quoted: false },
  ];
}
