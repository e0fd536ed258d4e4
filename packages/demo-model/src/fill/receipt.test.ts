import { expect, it } from 'vitest';
import { documentOf } from '../page/document-text.ts';
import { fillSchema } from './fill-schema.ts';

const schemaOf = (fields: Record<string, 'string' | 'number'>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type: [type, 'null'] }])),
});
const fill = (text: string, fields: Record<string, 'string' | 'number'>): unknown =>
  fillSchema(schemaOf(fields), documentOf('scan.png', [{ page: 1, text }])).value;

it('reads the head of a receipt: a name set apart, and the address under it', () => {
  const head = `
     THE    GOLDEN    TEAPOT
         (201456-X)
    No. 14, Jalan Melati 3,
     Taman Cempaka, 43300 Serdang
       Tel: (603) 555 0100
       TAX INVOICE
  Tea                 4.50`;
  expect(fill(head, { company: 'string', address: 'string' })).toEqual({
    company: 'THE GOLDEN TEAPOT',
    address: 'No. 14, Jalan Melati 3, Taman Cempaka, 43300 Serdang',
  });
  const street = `
        Northwind

12 Harbour Road
Springfield, IL 62701

Coffee              3.00`;
  expect(fill(street, { merchant_name: 'string', merchant_address: 'string' })).toEqual({
    merchant_name: 'Northwind',
    merchant_address: '12 Harbour Road, Springfield, IL 62701',
  });
});

it('reads a sum that stands a little above its label, and a net total where there is no other', () => {
  const sums = `
  Tea                                 9.00
  SUB TOTAL                           9.00
  GST 6%                              0.54

                                      9.54
     NET TOTAL
  Cash                               10.00`;
  expect(fill(sums, { total: 'number', tax: 'number' })).toEqual({ total: 9.54, tax: 0.54 });
});

it('leaves a total that a scan has spoilt empty', () => {
  const sums = `
  SUB TOTAL                         295.00
  SERVICE CHARGE 10%                 29.50
  GST 6%                             19.47
  TOTAL                             343.%`;
  expect(fill(sums, { subtotal: 'number', total: 'number' })).toEqual({ subtotal: 295, total: null });
});
