import { describe, expect, it } from 'vitest';
import { documentOf } from '../page/document-text.ts';
import { fillSchema } from './fill-schema.ts';

const schemaOf = (fields: Record<string, 'string' | 'number'>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type: [type, 'null'] }])),
});
const fill = (text: string, fields: Record<string, 'string' | 'number'>): unknown =>
  fillSchema(schemaOf(fields), documentOf('scan.png', [{ page: 1, text }])).value;

it('reads a widely spaced name and the address under it at the top of a receipt', () => {
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

it('reads an amount slightly above its label, and a net total when there is no other total', () => {
  const sums = `
  Tea                                 9.00
  SUB TOTAL                           9.00
  GST 6%                              0.54

                                      9.54
     NET TOTAL
  Cash                               10.00`;
  expect(fill(sums, { total: 'number', tax: 'number' })).toEqual({ total: 9.54, tax: 0.54 });
});

it('leaves an illegible total empty', () => {
  const sums = `
  SUB TOTAL                         295.00
  SERVICE CHARGE 10%                 29.50
  GST 6%                             19.47
  TOTAL                             343.%`;
  expect(fill(sums, { subtotal: 'number', total: 'number' })).toEqual({ subtotal: 295, total: null });
});

it('does not read a greeting, a street or an illegible line as the name of the shop', () => {
  const head = `
       WELCOME TO
    "The Tin Whistle
     19 Weaver Street

    7270 Davos
     CHE-114.220.883 MWST
  Tea                 4.50`;
  expect(fill(head, { company: 'string', address: 'string' })).toEqual({
    company: 'The Tin Whistle',
    address: '19 Weaver Street, 7270 Davos',
  });
  const spoilt = `
        Maple: Leaf Hard:ware
            55 King St W
    Springfield, IL 62701
  Nails               4.50`;
  expect(fill(spoilt, { company: 'string' })).toEqual({ company: null });
});

it('prefers the registered name, and leaves an incomplete address empty', () => {
  const head = `
     CORNERNEWS
   LOT  & 18, JALAN MELATI,
     PUTRA NILAM)
  CORNER RETAIL SB (306255-X) FKA BISON
  Tea                 4.50`;
  expect(fill(head, { company: 'string', address: 'string' })).toEqual({ company: 'CORNER RETAIL SB', address: null });
});

it('computes an illegible total from cash and change, or from subtotal and tax', () => {
  const total = (...lines: string[]): unknown => fill(lines.map((line) => `  ${line}`).join('\n'), { total: 'number' });
  const paid = ['CASH                 RM 51.00', 'CHANGE               RM 20.10'];
  const coins = ['Rounding   -RMC, 02', 'Grand Total mB. 35', 'Cash    RM10.50', 'Change    RM2.15'];
  expect(total('Noodle soup   1   RM7.90', ...coins)).toEqual({ total: 8.35 });
  expect(total('Total   RM 30.91', 'ROUNDING   RM 0.01', 'TOTAL  ROUNDED   RM 50.90', ...paid)).toEqual({
    total: 30.9,
  });
  expect(total('Subtotal   33.50', 'Sales Tax 6%   2.01', 'Total   35561', 'Tip    7.00')).toEqual({ total: 35.51 });
  expect(total('Subtotal   33.50', 'Sales Tax 6%   2.01', '       35.51')).toEqual({ total: 35.51 });
  // A voucher explains the difference, so the legible total stays.
  expect(total('Total   22.00', 'Voucher  1.00', 'CASH   30.00', 'CHANGE   9.00')).toEqual({ total: 22 });
});

it('reads amounts with separated decimals, and a tax that the total includes', () => {
  const sums = `
  Zwischensumme             38,00
  Gesamtbetrag             38, 00
  enthaltene MwSt 19%        6,07`;
  expect(fill(sums, { total: 'number', tax: 'number' })).toEqual({ total: 38, tax: 6.07 });
});

it('reads sums with and without tax in brackets, the rounded total, and the number of a receipt that is an invoice', () => {
  const page = `
  Inv No.: 88213          Till: 4
  Total (Excluding VAT)            50.02
  VAT Payable                       3.00
  Total (Inclusive of VAT)         53.02
  Rounding                         -0.02
  Total                            53.00
  Pay                              60.00
  Change                            7.00`;
  const fields = { receipt_number: 'string', subtotal: 'number', tax: 'number', total: 'number' } as const;
  expect(fill(page, { ...fields, cash_paid: 'number', change_due: 'number' })).toEqual({
    receipt_number: '88213',
    subtotal: 50.02,
    tax: 3,
    total: 53,
    cash_paid: 60,
    change_due: 7,
  });
});

it('reads items whose text is on the lines above their numbers', () => {
  const items = (page: string): unknown => {
    const item = schemaOf({ description: 'string', quantity: 'number', amount: 'number' });
    const schema = { type: 'object', properties: { items: { type: 'array', items: item } } };
    return fillSchema(schema, documentOf('till.png', [{ page: 1, text: page }])).value;
  };
  const rows = [
    { description: 'Garden gloves', quantity: 2, amount: 9 },
    { description: 'Rope 10 m', quantity: 1, amount: 7.25 },
  ];
  const withCodes = `
  Garden gloves                        *N
  GL-7/60
  90734412        2 X 4.50      9.00
  Rope 10 m                            *N
  RP-2/12
  90734419        1 X 7.25      7.25

  TOTAL                        16.25`;
  expect(items(withCodes)).toEqual({ items: rows });
  const withTax = `
  ITEM           QTY   PRICE   TOTAL  TAX
  Garden gloves
                 2 X    4.50    9.00 STD
  Rope 10 m
                 1 X    7.25    7.25 STD
  TOTAL                        16.25`;
  expect(items(withTax)).toEqual({ items: rows });
  expect(items(withTax.replace('9.00 STD', '900 STD'))).toEqual({ items: rows });
});

describe('items of a scanned receipt', () => {
  const items = (page: string): unknown => {
    const item = schemaOf({ description: 'string', quantity: 'number', amount: 'number' });
    const schema = { type: 'object', properties: { items: { type: 'array', items: item } } };
    return fillSchema(schema, documentOf('till.png', [{ page: 1, text: page }])).value;
  };

  it('have the cents of amounts whose points were lost', () => {
    const page = `
   HILLSIDE BAKERY
  4 Mill Road, Leeds
 QTY    DESC                 AMT

 1      PLUM CAKE          35.00 T
 3      RYE ROLL             420T
12      BAGEL              1080 T

        TOTAL              50.00
        CASH               60.00`;
    expect(items(page)).toEqual({
      items: [
        { description: 'PLUM CAKE', quantity: 1, amount: 35 },
        { description: 'RYE ROLL', quantity: 3, amount: 4.2 },
        { description: 'BAGEL', quantity: 12, amount: 10.8 },
      ],
    });
  });

  it('can have their texts below their numbers', () => {
    const page = `
   HARBOUR GRILL
  Table 12
 Oty    Description        Total TAX

   2                    E  18.00 SR
 Grilled cod
   1                    E   6.50 SR
 Lime juice (L)

 Total (Excluding GST):    24.50`;
    expect(items(page)).toEqual({
      items: [
        { description: 'Grilled cod', quantity: 2, amount: 18 },
        { description: 'Lime juice (L)', quantity: 1, amount: 6.5 },
      ],
    });
  });

  it('have texts of several words and numbers, and counts that a scan read as letters', () => {
    const page = `
   TOOL CORNER
   12 High Street
         -RECEIPT-
 WOOD   GLUE 250 ML 4410
 TA45-/1   12
 9555916500133        i X  5.25     5.25
 SANDPAPER P80 900G
 TB1-7
 9090822              3 X  1.10     3.30
 Item(s) : 2
 Total                          RM 8.55`;
    expect(items(page)).toEqual({
      items: [
        { description: 'WOOD GLUE 250 ML 4410', quantity: 1, amount: 5.25 },
        { description: 'SANDPAPER P80 900G', quantity: 3, amount: 3.3 },
      ],
    });
  });

  it('have prices beside their texts, and numbers of articles before them', () => {
    const page = `
   CASH AND CARRY NORTH
   8 Dock Street
 TAX INVOICE NO : 20881
 RICE 10KG 5% BROKEN @21.50
  9556606389892     *2            43.00 ZR
 201026 TEA  M     1    7.50  0    7.50 S
 QUANTITY : 3 UNITS
 TOTAL SALES                     RM50.50`;
    expect(items(page)).toEqual({
      items: [
        { description: 'RICE 10KG 5% BROKEN @21.50', quantity: 2, amount: 43 },
        { description: 'TEA M', quantity: 1, amount: 7.5 },
      ],
    });
  });
});
