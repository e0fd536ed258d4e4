/** A text in lower case, without accents, with simple quotation marks and single spaces. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[’‘`´]/gu, "'")
    .replaceAll(/[“”„«»]/gu, '"')
    .replaceAll(/[‐‑–—−]/gu, '-')
    .replaceAll('ß', 'ss')
    .replaceAll(/\s+/gu, ' ')
    .trim();
