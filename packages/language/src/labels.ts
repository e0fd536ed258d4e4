/** How a kind of documents is recognized. Languages: en, de, fr, it, es, nl; the most common names also in pt, pl, ja and zh. */
export interface KindLabels {
  /** What the kind is called, as folded phrases in the syntax of regular expressions. */
  names: readonly string[];
  /** Phrases that are rare in documents of other kinds. */
  strong?: readonly string[];
  /** Phrases that are common in documents of the kind. */
  words: readonly string[];
}

/** Phrases with semicolons between them. A phrase can go on in the next line. */
export const list = (phrases: string): string[] =>
  phrases
    .trim()
    .replaceAll(/\s*\n\s*/gu, ' ')
    .split(/;\s+/u);
