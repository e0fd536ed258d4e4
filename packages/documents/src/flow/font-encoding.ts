/** Encodings by the character sets that Windows gives to fonts. */
const encodings: Readonly<Record<number, string>> = {
  77: 'macroman',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** The ends of the names of fonts that old programs use for an alphabet. */
const suffixes: readonly (readonly [RegExp, string])[] = [
  [/ cyr$/iu, 'windows-1251'],
  [/ ce$/iu, 'windows-1250'],
  [/ greek$/iu, 'windows-1253'],
  [/ tur$/iu, 'windows-1254'],
  [/ baltic$/iu, 'windows-1257'],
  [/ \(hebrew\)$/iu, 'windows-1255'],
  [/ \(arabic\)$/iu, 'windows-1256'],
  [/ \(vietnamese\)$/iu, 'windows-1258'],
];

/**
 * The encoding of a font by its character set, or by its name where the set says nothing. Undefined if neither names one: then it is
 * that of the document or the system.
 */
export function fontEncoding(charset: number, name = ''): string | undefined {
  return encodings[charset] ?? suffixes.find(([ending]) => ending.test(name))?.[1];
}
