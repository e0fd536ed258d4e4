/** Letters, digits, signs and single spaces alone, which most names consist of. */
const isPlain = (text: string): boolean => /^[!-_a-~]+(?: [!-_a-~]+)*$/u.test(text);

/** A text in lower case, without accents, with simple quotation marks and single spaces. */
export const fold = (text: string): string =>
  isPlain(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replaceAll(/\p{M}+/gu, '')
        .toLowerCase()
        .replaceAll(/[’‘`´]/gu, "'")
        .replaceAll(/[“”„«»]/gu, '"')
        .replaceAll(/[‐‑–—−]/gu, '-')
        .replaceAll('ß', 'ss')
        .replaceAll(/\s+/gu, ' ')
        .trim();
