import { describe, expect, it } from 'vitest';
import { documentsOfKinds } from '../../../testing/documents-of-kinds.ts';
import { fitOf, likeness, minFit, minLikeness } from './kind-fit.ts';
import { baseOfName, documentWords, kindKeyNamed, noWords, sameNameKey, withDocument } from './kind-words.ts';

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

  it('fits documents of every issuer and language, also under the name of one issuer', () => {
    const invoices = documents.filter(({ kind }) => kind === 'Invoice');
    expect(new Set(invoices.map(({ issuer }) => issuer)).size).toBe(3);
    const [first] = invoices;
    for (const name of ['Invoice, Contoso', 'Eingangsrechnungen', 'Supplier documents']) {
      const known = { name, fields: [], words: withDocument(noWords, first!.words) };
      for (const { words } of invoices) expect(fitOf(words, known)).toBeGreaterThanOrEqual(minFit);
    }
  });

  it('fits no document of a kind that its name does not stand for', () => {
    const [invoice] = documents.filter(({ kind }) => kind === 'Invoice');
    const known = { name: 'Credit note', fields: [], words: withDocument(noWords, invoice!.words) };
    expect(fitOf(invoice!.words, known)).toBe(0);
  });

  it('tells forms apart by their titles and words', () => {
    const words = (text: string) => documentWords(text);
    const gym = words(
      'MEMBERSHIP APPLICATION\nFull name: A B\nDate of birth: 1990-01-01\nPhone number: 1\nSport: Judo',
    );
    const tax = words('Application for tax relief\nFull name: C D\nTax year: 2025\nIncome: 4\nSignature: x');
    expect(likeness(gym, withDocument(noWords, gym))).toBeGreaterThan(minFit);
    expect(likeness(tax, withDocument(noWords, gym))).toBeLessThan(minLikeness);
  });
});

it('fits by its fields only if it has no known document', () => {
  const [invoice] = documents.filter(({ issuer }) => issuer === 'Contoso');
  const fields = ['invoice_number', 'invoice_date', 'due_date', 'total'];
  expect(fitOf(invoice!.words, { name: 'Supplier data', fields })).toBe(1);
  expect(fitOf(invoice!.words, { name: 'Supplier data', fields: ['total'] })).toBe(0);
  expect(fitOf(invoice!.words, { name: 'Supplier invoice', fields: ['total'] })).toBeGreaterThan(minFit);
  expect(fitOf(invoice!.words, { name: 'Report', fields: ['patient', 'specimen', 'physician', 'total'] })).toBe(0);
});

it('reads the kind from a name', () => {
  expect([baseOfName('Invoice, Contoso 2'), baseOfName('Bank statement 3')]).toEqual(['Invoice', 'Bank statement']);
  expect(['Invoice, Contoso 2', 'Rechnungen', 'Facture'].map(kindKeyNamed)).toEqual(['invoice', 'invoice', 'invoice']);
  expect(kindKeyNamed('Membership application')).toBe('form:membership application');
  // Several kinds of documents have these names, so none of them is refused.
  expect(['Form', 'Document 2', 'Table'].map(sameNameKey)).toEqual([undefined, undefined, undefined]);
  expect(sameNameKey('Purchase ledger 2')).toBe(sameNameKey('purchase ledger'));
});

it('reads texts of any script, and huge ones in limited time', () => {
  expect(documentWords('請求書 番号').words).toContain('請求');
  expect(documentWords('constructor __proto__ toString').words).toContain('constructor');
  const startedAt = performance.now();
  const words = documentWords('a1@'.repeat(200_000) + 'word '.repeat(200_000));
  expect(words.words.length).toBeLessThanOrEqual(700);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
