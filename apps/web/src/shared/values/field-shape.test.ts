import { expect, it } from 'vitest';
import { labelOf } from './field-shape.ts';

it.each([
  ['invoice_number', 'Invoice number'],
  ['invoiceNumber', 'Invoice Number'],
  ['po_number', 'PO number'],
  ['customer_id', 'Customer ID'],
  ['vatId', 'VAT ID'],
  ['iban', 'IBAN'],
  ['paid', 'Paid'],
  ['__', '__'],
])('labels the field %s as %s', (key, label) => {
  expect(labelOf(key)).toBe(label);
});
