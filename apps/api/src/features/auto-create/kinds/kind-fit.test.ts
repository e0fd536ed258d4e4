import { describe, expect, it } from 'vitest';
import { documentsOfKinds } from '../../../testing/documents-of-kinds.ts';
import { fitOf, issuerOf, kindOf, likeness, minFit, minLikeness } from './kind-fit.ts';
import { documentWords, noWords, withDocument } from './kind-words.ts';

const documents = documentsOfKinds(60).map((document) => ({ ...document, words: documentWords(document.text) }));

describe('a kind of one document', () => {
  it('fits every other document of its kind, and none of another', () => {
    const wrong: string[] = [];
    for (const first of documents) {
      const known = { name: first.kind, fields: [], words: withDocument(noWords, first.words) };
      for (const other of documents) {
        const fits = fitOf(other.words, known) >= minFit;
        if (fits !== (other.kind === first.kind)) wrong.push(`${first.name} and ${other.name}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is waited for only by documents of its kind', () => {
    for (const first of documents) {
      const words = withDocument(noWords, first.words);
      const waiting = documents.filter((other) => likeness(other.words, words) >= minLikeness).map(({ kind }) => kind);
      expect(new Set(waiting)).toEqual(new Set([first.kind]));
    }
  });

  it('does not fit a document of another issuer with the same form', () => {
    const [invoice] = documents.filter(({ kind }) => kind === 'Invoice, Contoso');
    const theirs = documentWords(invoice!.text.replaceAll('Contoso', 'Northwind').replace('contoso', 'northwind'));
    const known = { name: 'Invoice, Contoso', fields: [], words: withDocument(noWords, invoice!.words) };
    expect(fitOf(theirs, known)).toBe(0);
    // Marks such as domains distinguish issuers even if the name has no issuer.
    const other = documentWords(
      invoice!.text.replace('contoso.example', 'northwind.example').replace('GB123456789', 'GB987654321'),
    );
    expect(fitOf(other, { ...known, name: 'Invoice' })).toBe(0);
  });
});

it('fits by its fields only if it has no known document', () => {
  const [invoice] = documents.filter(({ kind }) => kind === 'Invoice, Contoso');
  const fields = ['invoice_number', 'invoice_date', 'due_date', 'total'];
  expect(fitOf(invoice!.words, { name: 'Supplier invoice', fields })).toBe(1);
  expect(fitOf(invoice!.words, { name: 'Supplier invoice', fields: ['total'] })).toBe(0);
  expect(fitOf(invoice!.words, { name: 'Report', fields: ['patient', 'specimen', 'physician', 'total'] })).toBe(0);
});

it('reads kind and issuer from a name', () => {
  expect([kindOf('Invoice, Contoso 2'), issuerOf('Invoice, Contoso 2')]).toEqual(['Invoice', 'Contoso']);
  expect([kindOf('Bank statement 3'), issuerOf('Bank statement')]).toEqual(['Bank statement', undefined]);
});

it('reads texts of any script, and huge ones in limited time', () => {
  expect(documentWords('請求書 番号').words).toContain('請求');
  expect(documentWords('constructor __proto__ toString').words).toContain('constructor');
  const startedAt = performance.now();
  const words = documentWords('a1@'.repeat(200_000) + 'word '.repeat(200_000));
  expect(words.words.length).toBeLessThanOrEqual(700);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
