import { describe, expect, it } from 'vitest';
import { documentOf } from '../page/document-text.ts';
import {
  contract,
  englishInvoice,
  frenchInvoice,
  germanInvoice,
  laboratoryReport,
  membershipForm,
  receipt,
} from '../testing/sample-pages.ts';
import { proposeSchema } from './propose-schema.ts';

function propose(text: string) {
  return proposeSchema(documentOf('a.pdf', [{ page: 1, text }]));
}

describe('proposeSchema', () => {
  it.each([
    ['invoice', englishInvoice],
    ['invoice', germanInvoice],
    ['invoice', frenchInvoice],
    ['receipt', receipt],
    ['form', membershipForm],
    ['lab_report', laboratoryReport],
    ['contract', contract],
  ])('detects %s by its words', (kind, text) => {
    expect(propose(text).kind).toBe(kind);
  });

  it('proposes the fields that the page has, and no others', () => {
    const { properties } = propose(englishInvoice).schema;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['invoice_number', 'due_date', 'seller_name', 'vat_id', 'total', 'line_items']),
    );
    expect(Object.keys(properties)).not.toEqual(expect.arrayContaining(['iban']));
    expect(Object.keys(properties.line_items?.items?.properties ?? {})).toEqual([
      'description',
      'quantity',
      'unit_price',
      'tax_rate',
      'amount',
    ]);
  });

  it('makes fields from the labels of a form, with the types of their values', () => {
    expect(propose(membershipForm).schema.properties).toMatchObject({
      first_name: { type: ['string', 'null'] },
      date_of_birth: { format: 'date' },
      phone: { type: ['string', 'null'] },
      newsletter: { type: ['boolean', 'null'] },
    });
  });

  it('makes rows from a table with unknown headers', () => {
    const rows = propose(laboratoryReport).schema.properties.rows?.items?.properties;
    expect(rows).toMatchObject({
      test: { type: ['string', 'null'] },
      result: { type: ['number', 'null'] },
      flag: { type: ['string', 'null'] },
    });
  });

  it('requires all properties and forbids others at every level, as strict mode demands', () => {
    const check = (schema: {
      properties?: object;
      required?: string[];
      additionalProperties?: unknown;
      items?: object;
    }): void => {
      if (schema.items) check(schema.items);
      if (!schema.properties) return;
      expect(schema.required).toEqual(Object.keys(schema.properties));
      expect(schema.additionalProperties).toBe(false);
      for (const property of Object.values(schema.properties)) check(property as object);
    };
    for (const text of [englishInvoice, receipt, laboratoryReport, membershipForm]) check(propose(text).schema);
  });

  it('proposes no fields for a page without labels', () => {
    expect(propose('12 34 56\n78 90').schema.properties).toEqual({});
  });
});
