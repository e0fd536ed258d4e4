import type { FilePatterns } from './findings.ts';

const typeWords: readonly (readonly [string, RegExp])[] = [
  ['invoice', /\b(invoice|rechnung|facture|factura|faktura)\b/iu],
  ['receipt', /\b(receipt|quittung|kassenbon|reçu)\b/iu],
  ['contract', /\b(contract|agreement|lease|vertrag|contrat|contrato)\b/iu],
  ['report', /\b(report|bericht|rapport|summary of findings)\b/iu],
  ['letter', /\b(dear (sir|madam|mr|ms|mrs)|sehr geehrte|yours (sincerely|faithfully))\b/iu],
  ['purchase order', /\b(purchase order|bestellung|bon de commande)\b/iu],
  ['delivery note', /\b(delivery note|lieferschein|bon de livraison)\b/iu],
  ['resume', /\b(curriculum vitae|lebenslauf|résumé|work experience)\b/iu],
  ['minutes', /\b(minutes of|sitzungsprotokoll|compte rendu)\b/iu],
  ['statement', /\b(bank statement|account statement|kontoauszug)\b/iu],
];

/** Where no word tells it. */
const typeOfKind: Readonly<Record<string, string>> = { eml: 'e-mail', xlsx: 'table', csv: 'table', html: 'web page' };

/** What a text looks like, told from its words and lines. */
export function readPatterns(text: string, extension: string): FilePatterns {
  const lines = text.split('\n');
  const share = (test: RegExp) => lines.filter((line) => test.test(line)).length / Math.max(1, lines.length);
  return {
    document_type: typeWords.find(([, words]) => words.test(text))?.[0] ?? typeOfKind[extension] ?? 'other',
    has_headings: lines.some((line) => /^(#{1,6}\s+\S|\d{1,2}(\.\d{1,2})*\.?\s+\p{Lu}.{0,80}$)/u.test(line)),
    has_tables: share(/\S(\t|\s{3,}|\s*\|\s*)\S.*(\t|\s{3,}|\|)\S/u) > 0.2,
    has_amounts: /(?:[$€£¥]\s?\d|\d[.,]\d{2}\s?(?:EUR|USD|GBP|CHF|€))/u.test(text),
  };
}
