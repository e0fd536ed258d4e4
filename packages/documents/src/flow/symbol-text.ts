const wingdings: Readonly<Record<number, string>> = {
  0x28: '☎',
  0x2a: '✉',
  0x46: '☞',
  0x4a: '☺',
  0x4b: '😐',
  0x4c: '☹',
  0x6c: '●',
  0x6e: '■',
  0x6f: '☐',
  0x71: '☐',
  0x72: '☐',
  0x75: '◆',
  0x76: '❖',
  0x78: '☒',
  0xa1: '○',
  0xa7: '▪',
  0xa8: '☐',
  0xd8: '➢',
  0xdf: '←',
  0xe0: '→',
  0xe8: '→',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
};
const wingdings2: Readonly<Record<number, string>> = {
  0x4f: '✗',
  0x50: '✓',
  0x51: '☒',
  0x52: '☑',
  0x53: '☒',
  0x54: '☒',
  0xa3: '☐',
};
const symbolSigns: Readonly<Record<number, string>> = {
  0xa0: '€',
  0xa3: '≤',
  0xa5: '∞',
  0xae: '→',
  0xb0: '°',
  0xb1: '±',
  0xb3: '≥',
  0xb4: '×',
  0xb7: '•',
  0xb8: '÷',
  0xb9: '≠',
  0xbb: '≈',
  0xd2: '®',
  0xd3: '©',
  0xd4: '™',
  0xd5: '∏',
  0xd6: '√',
  0xe5: '∑',
  0xf2: '∫',
};
const symbolLetters = 'abgdezhqiklmnxoprstufcyw';
const greekLetters = 'αβγδεζηθικλμνξοπρστυφχψω';

/** The sign that a symbol font draws for a code, in Unicode. */
export function symbolText(font: string, code: number): string {
  const own = code >= 0xf000 ? code - 0xf000 : code;
  if (/^wingdings 2$/i.test(font)) return wingdings2[own] ?? '▪';
  if (/^(?:wingdings|webdings)/i.test(font)) return wingdings[own] ?? '▪';
  if (!/^symbol$/i.test(font)) return String.fromCodePoint(code);
  const letter = String.fromCharCode(own);
  const position = symbolLetters.indexOf(letter.toLowerCase());
  if (position !== -1) {
    const greek = greekLetters[position]!;
    return letter === letter.toLowerCase() ? greek : greek.toUpperCase();
  }
  return symbolSigns[own] ?? (own < 0x80 ? letter : '▪');
}

/** A text in a symbol font; other texts are unchanged. */
export function textInFont(text: string, font: string | undefined): string {
  if (font === undefined || !/^(?:symbol|wingdings|webdings)/i.test(font)) return text;
  return text.replace(/\S/gu, (sign) => symbolText(font, sign.codePointAt(0)!));
}
