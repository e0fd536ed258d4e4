import { type DrawnDocument, sheet } from './drawn-document.ts';
import { phone } from './invoice.ts';
import { wordsOfHalf } from './locale.ts';
import { cents, escaped as text, iso, type Writer } from './writer.ts';

type Pairs = readonly (readonly [string, string])[];

const pair = ([left, right]: readonly [string, string], style = ''): string =>
  `<div style="display:flex;justify-content:space-between;${style}"><span>${text(left)}</span><span>${text(right)}</span></div>`;

/** A receipt of a shop: narrow, centred head, goods with or without a line of quantity, sums, payment. */
export function drawReceipt(writer: Writer): DrawnDocument {
  const { random, locale, half } = writer;
  const isHeldOut = half === 'held_out';
  const goods = random.some(wordsOfHalf(locale.goods, half), random.between(2, 5)).map((description) => {
    const quantity = random.between(1, 3);
    const price = random.between(95, 4200) / 100;
    return { description, quantity, price, amount: cents(quantity * price) };
  });
  const total = cents(goods.reduce((sum, { amount }) => sum + amount, 0));
  const rate = random.pick(locale.taxRates);
  // Prices of shops include the tax, except in the United States.
  const isAdded = locale.code === 'en';
  const tax = isAdded ? cents((total * rate) / 100) : cents(total - total / (1 + rate / 100));
  const paid = isAdded ? cents(total + tax) : total;
  const day = writer.day(2018, 2026);
  const number = random.digits(5);
  const company = random.pick(wordsOfHalf(locale.companies, half));
  const street = random.pick(locale.streets);
  const place = locale.place(...random.pick(locale.places));
  const isCash = random.chance(0.55);
  const tendered = Math.ceil((paid + 0.01) / 10) * 10;
  const time = `${random.between(9, 20)}:${random.digits(2).replace(/^[6-9]/u, '3')}`;
  const head = [
    company,
    street,
    place,
    `${writer.label('phone')} ${phone(writer)}`,
    ...(random.chance(0.5) ? [writer.label('receipt')] : []),
  ];
  const facts: Pairs = [
    [
      `${writer.label('receipt_number')} ${number}`,
      isHeldOut ? `${writer.label('cashier')} ${random.between(1, 9)}` : '',
    ],
    isHeldOut ? [time, writer.date(day)] : [writer.date(day), time],
  ];
  const taxText = `${writer.label('tax')} ${writer.number(rate, rate % 1 === 0 ? 0 : 1)}%`;
  const sums: Pairs = [
    ...(isAdded ? ([[writer.label('subtotal'), writer.amount(total)]] as const) : []),
    ...(isAdded ? ([[taxText, writer.amount(tax)]] as const) : []),
    [writer.label('total'), writer.amount(paid)],
    ...(isAdded ? [] : ([[taxText, writer.amount(tax)]] as const)),
  ];
  const payment: Pairs = isCash
    ? [
        [writer.label('cash'), writer.amount(tendered)],
        [writer.label('change'), writer.amount(cents(tendered - paid))],
      ]
    : [[writer.label('card'), writer.amount(paid)]];
  const line = (item: (typeof goods)[number]): string => {
    const written = writer.number(item.amount);
    if (!isHeldOut) return pair([`${item.quantity} ${item.description}`, written]);
    return random.chance(0.5)
      ? `<div>${text(item.description)}</div>${pair([`  ${item.quantity} x ${writer.number(item.price)}`, written], 'padding-left:20px')}`
      : pair([item.description, written]);
  };
  const rule = isHeldOut
    ? '<div>==============================</div>'
    : '<div style="border-top:1px dashed #000;margin:5px 0"></div>';
  const strong = (index: number): string =>
    sums[index]?.[0] === writer.label('total') ? 'font-weight:bold;font-size:1.2em' : '';
  return {
    html: sheet(
      `body{padding:14px;font:13px/1.35 '${random.pick(['DejaVu Sans Mono', 'DejaVu Sans Condensed', 'TeX Gyre Cursor'])}'}`,
      [
        `<div style="text-align:${isHeldOut && random.chance(0.4) ? 'left' : 'center'}">${head.map((part) => `<div>${text(part)}</div>`).join('')}</div>`,
        facts.map((fact) => pair(fact)).join(''),
        goods.map(line).join(''),
        sums.map((sum, index) => pair(sum, strong(index))).join(''),
        payment.map((one) => pair(one)).join(''),
        `<div style="text-align:center">${text(writer.label('thanks'))}</div>`,
      ].join(rule),
    ),
    width: 330,
    height: undefined,
    expected: {
      company,
      date: iso(day),
      address: `${street}, ${place}`,
      tax_amount: tax,
      total: paid,
      ...(isCash && { change: cents(tendered - paid) }),
    },
    absent: { due_date: 'string', tip: 'number', ...(!isCash && { change: 'number' as const }) },
    descriptions: {},
  };
}
