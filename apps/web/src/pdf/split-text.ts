export interface TextPart {
  text: string;
  quoted: boolean;
  /** Index of the hit it belongs to. */
  hit?: number | undefined;
}

interface Range {
  start: number;
  end: number;
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The first place of a quote in the text; gaps between its words may be of any kind and width. */
export function findQuote(text: string, quote: string | null): Range | undefined {
  const words = (quote ?? '').split(/\s+/).filter(Boolean).map(escaped);
  const found = words.length === 0 ? null : new RegExp(words.join('\\s+'), 'iu').exec(text);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

/** Cuts the text where the quote and the hits begin and end; hits follow each other. */
export function splitText(text: string, quote: Range | undefined, hits: Range[]): TextPart[] {
  const inside = (range: Range | undefined, offset: number) =>
    range !== undefined && range.start <= offset && offset < range.end;
  const edges = [...(quote ? [quote] : []), ...hits].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...edges, text.length])].toSorted((one, other) => one - other);
  const parts: TextPart[] = [];
  let hit = 0;
  for (const [index, start] of cuts.entries()) {
    const end = cuts[index + 1];
    if (end === undefined) break;
    while (hit < hits.length && hits[hit]!.end <= start) hit += 1;
    const found = inside(hits[hit], start) ? { hit } : {};
    parts.push({ text: text.slice(start, end), quoted: inside(quote, start), ...found });
  }
  return parts;
}
