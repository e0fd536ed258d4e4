import { describe, expect, it } from 'vitest';
import { documentOf } from '../page/document-text.ts';
import {
  contract,
  englishInvoice,
  frenchInvoice,
  germanInvoice,
  membershipForm,
  receipt,
} from '../testing/sample-pages.ts';
import { fillSchema } from './fill-schema.ts';
import type { FieldSchema } from './schema/json-schema.ts';

const text: FieldSchema = { type: ['string', 'null'] };
const number: FieldSchema = { type: ['number', 'null'] };

function fill(page: string, properties: Record<string, FieldSchema>): unknown {
  return fillSchema({ type: 'object', properties }, documentOf('a.pdf', [{ page: 1, text: page }])).value;
}

const invoiceFields = {
  invoice_number: text,
  invoice_date: text,
  due_date: text,
  seller_name: text,
  buyer_name: text,
  currency: text,
  subtotal: number,
  tax_amount: number,
  total: number,
};

describe('fillSchema', () => {
  it('is not held up by a pattern that a backtracking engine tries for hours', () => {
    const page = `Vendor name: ${'a'.repeat(40)}!\nCode: ab12\n`;
    const before = performance.now();
    expect(fill(page, { vendor_name: { ...text, pattern: '^(a+)+$' } })).toEqual({ vendor_name: null });
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(fill(page, { code: { ...text, pattern: '^[a-z]{2}[0-9]{2}$' } })).toEqual({ code: 'ab12' });
  });

  it('reads an English invoice', () => {
    expect(fill(englishInvoice, invoiceFields)).toEqual({
      invoice_number: 'HM-20931',
      invoice_date: '2025-02-03',
      due_date: '2025-03-05',
      seller_name: 'Hartley & Moss Ltd',
      buyer_name: 'Northgate Surveying LLP',
      currency: 'GBP',
      subtotal: 1244.5,
      tax_amount: 236,
      total: 1480.5,
    });
  });

  it('reads a German invoice with a sender line, decimal commas and codes', () => {
    const fields = { ...invoiceFields, customer_id: text, vat_id: text, iban: text, bic: text, seller_address: text };
    expect(fill(germanInvoice, fields)).toEqual({
      invoice_number: '2025/0311',
      invoice_date: '2025-03-28',
      due_date: '2025-04-11',
      seller_name: 'Malerbetrieb Kessler e.K.',
      buyer_name: 'Hausverwaltung Sonnenberg GmbH',
      currency: 'EUR',
      subtotal: 1696,
      tax_amount: 322.24,
      total: 2018.24,
      customer_id: '10442',
      vat_id: 'DE298765431',
      iban: 'DE02 1203 0000 0000 2020 51',
      bic: 'BYLADEM1001',
      seller_address: 'Lindenweg 9, 04109 Leipzig',
    });
  });

  it('reads a French invoice into fields with English names', () => {
    expect(fill(frenchInvoice, invoiceFields)).toMatchObject({
      invoice_number: '2024-118',
      invoice_date: '2024-09-12',
      due_date: '2024-10-12',
      buyer_name: 'Mairie de Villeneuve',
      subtotal: 1345.5,
      total: 1614.6,
    });
  });

  it('reads a table by its headers when the properties have other names', () => {
    const items = { type: 'object', properties: { item: text, qty: number, price: number, amount: number } };
    expect(fill(germanInvoice, { positions: { type: 'array', items } })).toEqual({
      positions: [
        { item: 'Treppenhaus streichen', qty: 120, price: 9.8, amount: 1176 },
        { item: 'Fenster lackieren', qty: 8, price: 65, amount: 520 },
      ],
    });
  });

  it('reads the items of a receipt without headers', () => {
    const items = { type: 'object', properties: { description: text, quantity: number, amount: number } };
    expect(
      fill(receipt, { merchant_name: text, line_items: { type: 'array', items }, total: number, tip: number }),
    ).toEqual({
      merchant_name: 'BLUE HERON COFFEE',
      line_items: [
        { description: 'Latte', quantity: 2, amount: 9 },
        { description: 'Blueberry Muffin', quantity: 1, amount: 3.75 },
      ],
      total: 16.04,
      tip: 2,
    });
  });

  it('finds unknown fields by the words of their names, and reads ticked boxes', () => {
    const fields = { first_name: text, phone: text, newsletter: { type: 'boolean' }, membership_type: text };
    expect(fill(membershipForm, fields)).toEqual({
      first_name: 'Tobias',
      phone: '+49 30 5550123',
      newsletter: true,
      membership_type: 'Family',
    });
  });

  it('reads values from the sentences of a contract', () => {
    expect(
      fill(contract, { title: text, effective_date: text, party_1: text, party_2: text, governing_law: text }),
    ).toEqual({
      title: 'CONSULTING AGREEMENT',
      effective_date: '2024-03-01',
      party_1: 'Falcon Ridge Holdings, Inc.',
      party_2: 'Mira Solberg',
      governing_law: 'Colorado',
    });
  });

  it('never makes up a value: an unknown number, boolean or choice is null, even when null is not allowed', () => {
    const fields = {
      warranty: text,
      discount: number,
      code: { type: 'string' },
      count: { type: 'integer' },
      ok: { type: 'boolean' },
      tags: { type: 'array', items: text },
    };
    expect(fill(englishInvoice, fields)).toEqual({
      warranty: null,
      discount: null,
      code: '',
      count: null,
      ok: null,
      tags: [],
    });
  });

  it('follows references and nested objects, and takes only values that enum and pattern allow', () => {
    const party = { type: 'object', properties: { name: text, address: text } };
    const schema: FieldSchema = {
      type: 'object',
      definitions: { party },
      properties: {
        seller: { $ref: '#/definitions/party' },
        buyer: { anyOf: [{ $ref: '#/definitions/party' }, { type: 'null' }] },
        currency: { type: ['string', 'null'], enum: ['EUR', 'USD', null] },
        invoice_number: { type: ['string', 'null'], pattern: '^\\d+$' },
      },
    };
    const { value } = fillSchema(schema, documentOf('a.pdf', [{ page: 1, text: englishInvoice }]));
    expect(value).toEqual({
      seller: { name: 'Hartley & Moss Ltd', address: '14 Quay Street, Bristol BS1 4QA' },
      buyer: { name: 'Northgate Surveying LLP', address: 'Unit 7, Carver Works, Leeds LS11 5PF' },
      currency: null,
      invoice_number: null,
    });
  });

  it('terminates for a schema that contains itself', () => {
    const schema: FieldSchema = { type: 'object', properties: { child: { $ref: '#' }, total: number } };
    expect(fillSchema(schema, documentOf('a.pdf', [{ page: 1, text: englishInvoice }])).value).toMatchObject({
      total: 1480.5,
    });
  });

  it('returns the line of a value as its source', () => {
    const { sources } = fillSchema(
      { type: 'object', properties: { total: number } },
      documentOf('a.pdf', [{ page: 3, text: englishInvoice }]),
    );
    expect(sources.get('total')).toMatchObject({ page: 3, text: expect.stringContaining('Total Due') });
  });
});
