import { type DrawnDocument, fonts, paperHeight, paperWidth, sheet } from './drawn-document.ts';
import { bodies, buyers, facts, feet, heads, type InvoiceTexts, type ItemColumn } from './invoice-parts.ts';
import { wordsOfHalf } from './locale.ts';
import { cents, iso, type Day, type Writer } from './writer.ts';

interface Item {
  description: string;
  quantity: number;
  price: number;
  amount: number;
  code: string;
}

type ColumnName = 'position' | 'code' | 'description' | 'quantity' | 'price' | 'amount';

const columnOrders: Readonly<Record<Writer['half'], readonly (readonly ColumnName[])[]>> = {
  development: [
    ['description', 'quantity', 'price', 'amount'],
    ['position', 'description', 'quantity', 'price', 'amount'],
    ['code', 'description', 'quantity', 'price', 'amount'],
  ],
  held_out: [
    ['quantity', 'description', 'price', 'amount'],
    ['description', 'price', 'quantity', 'amount'],
    ['position', 'code', 'description', 'quantity', 'price', 'amount'],
  ],
};

/** An invoice with goods, sums, parties and the usual facts, in a layout of its half. */
export function drawInvoice(writer: Writer): DrawnDocument {
  const { random, locale, half } = writer;
  const items = goodsOf(writer);
  const subtotal = cents(items.reduce((sum, item) => sum + item.amount, 0));
  const rate = random.pick(locale.taxRates);
  const tax = cents((subtotal * rate) / 100);
  const total = cents(subtotal + tax);
  const day = writer.day(2019, 2026);
  const due: Day = { ...day, month: (day.month % 12) + 1, year: day.year + (day.month === 12 ? 1 : 0) };
  const number = random.pick([
    `${day.year}-${random.digits(4)}`,
    `R${random.digits(6)}`,
    random.digits(5),
    `INV/${random.digits(4)}`,
  ]);
  const customer = random.chance(0.6) ? random.digits(5) : undefined;
  const order = random.chance(0.5) ? `PO-${random.digits(4)}` : undefined;
  const hasDue = random.chance(0.7);
  const [sellerName, otherCompany] = random.some(wordsOfHalf(locale.companies, half), 2) as [string, string];
  const [person, receiver] = random.some(wordsOfHalf(locale.people, half), 2) as [string, string];
  const buyerName = random.chance(0.5) ? person : otherCompany;
  const [street, buyerStreet, otherStreet] = random.some(locale.streets, 3) as [string, string, string];
  const [place, buyerPlace, otherPlace] = random
    .some(locale.places, 3)
    .map(([code, city]) => locale.place(code, city)) as [string, string, string];
  const texts: InvoiceTexts = {
    title: writer.label('invoice'),
    seller: { name: sellerName, street, place, contact: `${writer.label('phone')} ${phone(writer)}` },
    buyer: { label: writer.label('buyer'), name: buyerName, street: buyerStreet, place: buyerPlace },
    delivery: random.chance(0.4)
      ? { label: writer.label('delivery'), name: receiver, street: otherStreet, place: otherPlace }
      : undefined,
    facts: [
      [writer.label('number'), number],
      [writer.label('date'), writer.date(day)],
      ...(hasDue ? [[writer.label('due'), writer.date(due)] as const] : []),
      ...(customer === undefined ? [] : [[writer.label('customer'), customer] as const]),
      ...(order === undefined ? [] : [[writer.label('order'), order] as const]),
    ],
    columns: random.pick(columnOrders[half]).map((name) => columnOf(name, writer)),
    rows: items.map((item, index) => ({
      position: String(index + 1),
      code: item.code,
      description: item.description,
      quantity: writer.number(item.quantity, 0),
      price: writer.amount(item.price),
      amount: writer.amount(item.amount),
    })),
    sums: [
      [writer.label('subtotal'), writer.amount(subtotal)],
      [`${writer.label('tax')} ${String(rate).replace('.', locale.decimal)} %`, writer.amount(tax)],
      [writer.label('total'), `${writer.amount(total)}${random.chance(0.5) ? ` ${locale.currency.code}` : ''}`],
    ],
    note: random.pick(locale.sentences),
    bank: [
      [
        'IBAN',
        `${locale.code === 'en' ? 'GB' : locale.code.toUpperCase()}${random.digits(2)} ${random.digits(4)} ${random.digits(4)} ${random.digits(4)} ${random.digits(4)} ${random.digits(2)}`,
      ],
      [writer.label('vat_id'), `${locale.code === 'en' ? '' : locale.code.toUpperCase()}${random.digits(9)}`],
    ],
  };
  const size = random.between(12, 14);
  const parts = [heads, buyers, facts, bodies, feet].map((choices) => random.pick(choices[half])(texts));
  return {
    html: sheet(
      `body{padding:46px;font:${size}px '${random.pick(fonts)}'}`,
      parts.join(`<div style="height:${random.between(14, 30)}px"></div>`),
    ),
    width: paperWidth,
    height: paperHeight,
    expected: {
      invoice_number: number,
      invoice_date: iso(day),
      ...(hasDue && { due_date: iso(due) }),
      seller_name: sellerName,
      buyer_name: buyerName,
      ...(customer !== undefined && { customer_id: customer }),
      ...(order !== undefined && { po_number: order }),
      subtotal,
      tax_amount: tax,
      total,
      line_items: items.map(({ description, quantity, amount }) => ({ description, quantity, amount })),
    },
    absent: {
      ...(!hasDue && { due_date: 'string' as const }),
      ...(order === undefined && { po_number: 'string' as const }),
      shipping: 'number',
      delivery_date: 'string',
    },
    descriptions: {},
  };
}

function goodsOf(writer: Writer): Item[] {
  const { random, locale, half } = writer;
  return random.some(wordsOfHalf(locale.goods, half), random.between(1, 5)).map((description) => {
    const quantity = random.between(1, 24);
    const price = cents(random.between(180, 18_000) / 100);
    return {
      description,
      quantity,
      price,
      amount: cents(quantity * price),
      code: `${random.pick(['A', 'K', 'T'])}-${random.digits(4)}`,
    };
  });
}

function columnOf(name: ColumnName, writer: Writer): ItemColumn {
  if (name === 'position') return { name, header: writer.locale.code === 'en' ? '#' : 'Pos.', isNumber: false };
  return { name, header: writer.label(name), isNumber: name !== 'code' && name !== 'description' };
}

export function phone({ random }: Writer): string {
  return random.pick([
    `0${random.digits(3)} ${random.digits(6)}`,
    `(${random.digits(3)}) 555-${random.digits(4)}`,
    `+49 ${random.digits(3)} ${random.digits(7)}`,
  ]);
}
