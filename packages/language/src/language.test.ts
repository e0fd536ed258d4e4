import { expect, it } from 'vitest';
import { createLanguageDetector } from './detect-language.ts';
import { findMatches, readSearch } from './find-matches.ts';
import { languageNamed, languageOfCode, type TextLanguage } from './text-language.ts';
import { stemsOf, wordsOf } from './words.ts';

it.each<[TextLanguage, string[][]]>([
  [
    'german',
    [
      ['Rechnung', 'rechnungen', 'RECHNUNG'],
      ['Häuser', 'Haus', 'Hauser'],
      ['Müller', 'Muller'],
      ['Straße', 'STRASSE'],
    ],
  ],
  [
    'french',
    [
      ['société', 'societe', 'Sociétés'],
      ['facture', 'factures', 'facturation'],
      ['l’école', "l'ecole"],
    ],
  ],
  [
    'italian',
    [
      ['fattura', 'fatture'],
      ['società', 'societa'],
    ],
  ],
  [
    'spanish',
    [
      ['facturas', 'factura', 'facturación'],
      ['niños', 'niño', 'nino'],
    ],
  ],
  [
    'english',
    [
      ['invoice', 'invoices', 'Invoiced'],
      ['delivery', 'deliveries'],
    ],
  ],
])('knows the forms of words in %s, with accents and without', (language, groups) => {
  for (const group of groups) {
    expect(new Set(group.map((word) => stemsOf(word, language))).size, group.join(', ')).toBe(1);
  }
  expect(new Set(groups.map(([word = '']) => stemsOf(word, language))).size).toBe(groups.length);
});

it('normalizes accents, composed or separate, and letters of other widths', () => {
  expect(stemsOf('Mu\u0308ller', 'german')).toBe(stemsOf('Müller', 'german'));
  expect(stemsOf('１２３ ＡＢ', 'none')).toBe('123 ab');
  expect(stemsOf('が', 'none')).toBe('が');
  expect(stemsOf('x'.repeat(100_000), 'english')).toHaveLength(100_000);
  expect(stemsOf('\0 😀 -- "', 'english')).toBe('');
});

it('splits scripts without spaces into characters with their positions', () => {
  const text = 'Die 東京都 des 20. Jh. 付款。ーสัญญา';
  for (const { text: word, start, end } of wordsOf(text)) expect(text.slice(start, end)).toBe(word);
  expect(stemsOf('東京 Tower', 'none')).toBe('東 京 tower');
});

it('parses a search: words, phrases, exclusions; ignores stop words of the language outside of phrases', () => {
  expect(readSearch('the invoices "paid the late" -draft', 'english')).toEqual([
    { kind: 'word', stems: ['invoic'] },
    { kind: 'phrase', stems: ['paid', 'the', 'late'] },
    { kind: 'word', stems: ['paid'] },
    { kind: 'word', stems: ['late'] },
    { kind: 'unwanted', stems: ['draft'] },
  ]);
  expect(readSearch('die', 'german')).toEqual([]);
  expect(readSearch('die', 'english')).toHaveLength(1);
  expect(readSearch('付款条 x 約', 'none').map(({ stems }) => stems.join(''))).toEqual(['付款', '款条', 'x', '約']);
  for (const nothing of ['', '-', '"', '" "', '--', '-"', '😀', '\0'])
    expect(readSearch(nothing, 'english')).toEqual([]);
});

it('finds the searched words in their forms', () => {
  const marked = (text: string, search: string, language: TextLanguage) =>
    findMatches(text, search, language).map(({ start, end }) => text.slice(start, end));
  expect(marked('An invoice, INVOICING, the invoiced', 'the invoices -an', 'english')).toEqual([
    'invoice',
    'INVOICING',
    'invoiced',
  ]);
  expect(marked('Alle Häuser und das Haus 😀 Hausbau', '"haus und" häusern', 'german')).toEqual(['Häuser', 'Haus']);
  expect(marked('本合同的付款条件是三十天', '付款条件 天', 'none')).toEqual(['付款条件', '天']);
});

it('detects the language of a text, and does not guess', () => {
  const detect = createLanguageDetector();
  const texts = {
    de: 'Die Kündigungsfrist beträgt drei Monate zum Ende eines Quartals.',
    fr: 'Les frais de livraison seront facturés à la société.',
    it: 'Il conduttore paga il canone di locazione entro il primo giorno del mese.',
    es: 'El arrendatario pagará la renta el primer día de cada mes.',
    zh: '本合同的付款条件是在收到发票后三十天内付款。',
  };
  for (const [code, text] of Object.entries(texts)) expect(detect(text)).toBe(code);
  expect(detect('Invoice 4711 EUR 95.00')).toBeUndefined();
  expect(createLanguageDetector(['en', 'de'])(texts.fr)).not.toBe('fr');
  expect(detect(texts.fr)).toBe('fr');
  expect(languageOfCode('de')).toBe('german');
  expect(languageOfCode('no')).toBe('norwegian');
  expect(languageOfCode('zh')).toBeUndefined();
  expect(['toString', 'klingon', 'no', 'german', 'de'].map(languageNamed)).toEqual([
    undefined,
    undefined,
    undefined,
    'german',
    'german',
  ]);
});
