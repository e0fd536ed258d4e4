import type { Page, Word } from '@docwright/documents';
import { pick } from './random.ts';

export interface Invoice {
  truth: InvoiceFields;
  pages: Page[];
}

interface InvoiceFields {
  invoice_number: string;
  invoice_date: string;
  due_date: string;
  po_number: string | null;
  seller_name: string;
  buyer_name: string;
  currency: string;
  line_items: { description: string; quantity: number; unit_price: number; amount: number }[];
  subtotal: number;
  tax_amount: number;
  total: number;
}

const text = { type: ['string', 'null'] };
const number = { type: ['number', 'null'] };

/** The schema of the generated invoices, as an agent would write it. */
export const invoiceSchema = {
  type: 'object',
  properties: {
    invoice_number: text,
    invoice_date: text,
    due_date: text,
    po_number: text,
    seller_name: text,
    buyer_name: text,
    currency: text,
    line_items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: text, quantity: number, unit_price: number, amount: number },
      },
    },
    subtotal: number,
    tax_amount: number,
    total: number,
  },
};

/** The checks of the schema. */
export const invoiceChecks = [
  ['rows', 'abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01', 'The rows do not add up to the subtotal'],
  ['total', 'abs(subtotal + tax_amount - total) <= 0.01', 'Subtotal and tax do not add up to the total'],
  ['due', 'date(due_date) >= date(invoice_date)', 'It is due before its date'],
].map(([id, expression, message]) => ({
  id: id!,
  expression: expression!,
  message: message!,
  severity: 'error' as const,
}));

const sellers = [
  'Contoso Ltd.',
  'Fabrikam GmbH',
  'Tailspin Toys',
  'Adatum Corporation',
  'Wingtip Supplies',
  'Proseware',
];
const buyers = ['Litware Inc.', 'Northwind Traders', 'Alpine Ski House', 'Lucerne Publishing', 'Woodgrove Bank'];
const goods = [
  'Paper A4',
  'Toner black',
  'Desk lamp',
  'Consulting hours',
  'Cable 2 m',
  'Chair, oak',
  'Licence, yearly',
  'Shipping',
];

/** An invoice with its page. A third of the pages are recognised from an image, with a few misread words. */
export function generateInvoice(random: () => number): Invoice {
  const day = (from: number) => new Date(Date.UTC(2026, 0, 1 + from)).toISOString().slice(0, 10);
  const issued = Math.floor(random() * 300);
  const cents = (value: number) => Math.round(value * 100) / 100;
  const rows = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
    const quantity = 1 + Math.floor(random() * 20);
    const unit_price = cents(2 + random() * 300);
    return { description: pick(random, goods), quantity, unit_price, amount: cents(quantity * unit_price) };
  });
  const subtotal = cents(rows.reduce((sum, { amount }) => sum + amount, 0));
  const tax_amount = cents(subtotal * pick(random, [0.07, 0.19, 0.2]));
  const truth: InvoiceFields = {
    invoice_number: `INV-2026-${1000 + Math.floor(random() * 9000)}`,
    invoice_date: day(issued),
    due_date: day(issued + pick(random, [14, 30, 60])),
    po_number: random() < 0.3 ? null : `PO-${10_000 + Math.floor(random() * 90_000)}`,
    seller_name: pick(random, sellers),
    buyer_name: pick(random, buyers),
    currency: pick(random, ['EUR', 'USD', 'GBP']),
    line_items: rows,
    subtotal,
    tax_amount,
    total: cents(subtotal + tax_amount),
  };
  return { truth, pages: [pageOf(truth, random() < 1 / 3, random)] };
}

function pageOf(truth: InvoiceFields, isRecognised: boolean, random: () => number): Page {
  const amount = (value: number) => value.toFixed(2);
  const lines = [
    [truth.seller_name],
    ['Invoice', truth.invoice_number],
    ['Date', truth.invoice_date, 'Due', truth.due_date],
    ...(truth.po_number === null ? [] : [['Order', truth.po_number]]),
    ['Bill to', truth.buyer_name],
    ['Description', 'Quantity', 'Price', `Amount (${truth.currency})`],
    ...truth.line_items.map((row) => [
      row.description,
      String(row.quantity),
      amount(row.unit_price),
      amount(row.amount),
    ]),
    ['Subtotal', amount(truth.subtotal)],
    ['VAT', amount(truth.tax_amount)],
    ['Total', truth.currency, amount(truth.total)],
  ];
  const words: Word[] = lines.flatMap((cells, row) =>
    cells.flatMap((cell, column) => {
      let x = 40 + column * 130;
      return cell.split(' ').map((each): Word => {
        const word = { text: each, x0: x, y0: 40 + row * 18, x1: x + each.length * 6, y1: 52 + row * 18 };
        x = word.x1 + 4;
        return isRecognised ? { ...word, confidence: 0.85 + random() * 0.15 } : word;
      });
    }),
  );
  const body = lines.map((cells) => cells.join('   ')).join('\n');
  return { page_num: 1, width: 595, height: 842, text: body, words, hidden_text: 0, needs_ocr: false };
}
