import { type DrawnDocument, fonts, paperHeight, paperWidth, sheet } from '../made-documents/drawn-document.ts';
import type { Random } from '../made-documents/random.ts';
import { cents, type Day, escaped, iso } from '../made-documents/writer.ts';
import type { Vendor } from './vendor.ts';

const months: Readonly<Record<Vendor['language'], string>> = {
  en: 'January February March April May June July August September October November December',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
};

/** Text at a place of the sheet, in points from its upper left corner. */
export interface Mark {
  x: number;
  y: number;
  text: string;
  size?: number;
  isBold?: boolean;
  /** The place of its right end instead of its left one. */
  isRight?: boolean;
}

/** Sets a paper as texts at places and lines between points, without any HTML table or box that could help a reader. */
export function typeset(
  marks: readonly Mark[],
  rules: readonly (readonly number[])[],
  font: string,
  height = paperHeight,
): string {
  const lines = rules.map(
    ([x = 0, y = 0, x2 = 0, y2 = 0]) =>
      `<line x1="${x}" y1="${y}" x2="${x2}" y2="${y2}" stroke="#000" stroke-width="1"/>`,
  );
  const texts = marks.map(
    ({ x, y, text, size = 12, isBold = false, isRight = false }) =>
      `<text x="${x}" y="${y}" font-size="${size}"${isBold ? ' font-weight="bold"' : ''}${isRight ? ' text-anchor="end"' : ''}>${escaped(text)}</text>`,
  );
  return sheet(
    `svg{font-family:'${font}';display:block}`,
    `<svg width="${paperWidth}" height="${height - 2}">${lines.join('')}${texts.join('')}</svg>`,
  );
}

export function money({ money: { decimal, group, before, after } }: Vendor, value: number): string {
  const [whole = '', rest = ''] = value.toFixed(2).split('.');
  return `${before}${whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/gu, group)}${decimal}${rest}${after}`;
}

export function written({ language, date: { form } }: Vendor, { year, month, day }: Day): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const name = months[language].split(' ')[month - 1]!;
  return form.replaceAll(/YYYY|MMM|MM|DD|D(?!e)/gu, (part) =>
    part === 'YYYY'
      ? String(year)
      : part === 'MMM'
        ? name
        : part === 'MM'
          ? two(month)
          : part === 'DD'
            ? two(day)
            : String(day),
  );
}

export function someDay(random: Random, from: number, to: number): Day {
  return { year: random.between(from, to), month: random.between(1, 12), day: random.between(1, 28) };
}

interface Sale {
  items: { what: string; count: number; price: number; sum: number }[];
  net: number;
  tax: number;
  total: number;
}

function sell({ goods, tax: { rate } }: Vendor, random: Random, most: number): Sale {
  const items = random.some(goods, random.between(2, most)).map((what) => {
    const [count, price] = [random.between(1, 12), random.between(250, 24_000) / 100];
    return { what, count, price, sum: cents(count * price) };
  });
  const net = cents(items.reduce((sum, item) => sum + item.sum, 0));
  const tax = cents((net * rate) / 100);
  return { items, net, tax, total: cents(net + tax) };
}

/** An invoice: facts in a column at the right, in a band of captions over values, in a sentence, or beside dots. */
export function drawBill(vendor: Vendor, random: Random, variant: number): DrawnDocument {
  const sale = sell(vendor, random, 5);
  const [day, due] = [someDay(random, 2021, 2025), someDay(random, 2025, 2026)];
  const number = `${vendor.number.prefix}${random.digits(5)}`;
  const order = random.chance(0.6) ? `${random.digits(2)}-${random.digits(4)}` : undefined;
  const [buyer, street, place] = random.pick(vendor.buyers);
  const marks: Mark[] = [];
  const rules: number[][] = [];
  const facts: [string, string][] = [
    [vendor.number.label, number],
    [vendor.date.label, written(vendor, day)],
    [vendor.due, written(vendor, due)],
    ...(order === undefined ? [] : [[vendor.order, order] as [string, string]]),
  ];
  const isHeadRight = variant % 2 === 1;
  const headX = isHeadRight ? 740 : 60;
  for (const [index, text] of [vendor.name, ...vendor.address].entries())
    marks.push({
      x: headX,
      y: 60 + index * 17,
      text,
      size: index === 0 ? 17 : 11,
      isBold: index === 0,
      isRight: isHeadRight,
    });
  marks.push({ x: 60, y: 150, text: vendor.buyer, size: 9 });
  for (const [index, text] of [buyer, street, place].entries()) marks.push({ x: 60, y: 167 + index * 16, text });
  marks.push({ x: 60, y: 260, text: vendor.title, size: 20, isBold: true });
  if (variant % 4 === 0) {
    for (const [index, [label, text]] of facts.entries())
      marks.push({ x: 440, y: 160 + index * 18, text: label }, { x: 740, y: 160 + index * 18, text, isRight: true });
  } else if (variant % 4 === 1) {
    rules.push([60, 280, 740, 280], [60, 318, 740, 318]);
    for (const [index, [label, text]] of facts.entries())
      marks.push({ x: 64 + index * 172, y: 294, text: label, size: 9 }, { x: 64 + index * 172, y: 311, text });
  } else if (variant % 4 === 2) {
    for (const [index, [label, text]] of facts.entries())
      marks.push({ x: 60 + (index % 2) * 350, y: 286 + Math.floor(index / 2) * 20, text: `${label}: ${text}` });
  } else {
    for (const [index, [label, text]] of facts.entries())
      marks.push({
        x: 420,
        y: 160 + index * 18,
        text: `${label} ${'.'.repeat(Math.max(3, 34 - label.length))} ${text}`,
      });
  }
  const ends = variant % 3 === 0 ? [64, 470, 590, 736] : [64, 440, 560, 700];
  const [what, count, price, sum] = vendor.columns;
  let y = 375;
  const row = (texts: readonly string[], isBold = false): void => {
    for (const [index, text] of texts.entries()) marks.push({ x: ends[index]!, y, text, isRight: index > 0, isBold });
  };
  row([what, count, price, sum], variant % 2 === 0);
  rules.push([60, y + 6, 740, y + 6]);
  for (const item of sale.items) {
    y += variant % 2 === 0 ? 22 : 19;
    row([item.what, String(item.count), money(vendor, item.price), money(vendor, item.sum)]);
  }
  y += 34;
  for (const [label, value, isBold] of [
    [vendor.net, sale.net, false],
    [vendor.tax.label, sale.tax, false],
    [vendor.total, sale.total, true],
  ] as const) {
    marks.push({ x: variant % 2 === 0 ? 360 : 64, y, text: label, isBold });
    marks.push({ x: ends[3]!, y, text: money(vendor, value), isRight: true, isBold });
    y += 21;
  }
  marks.push({ x: 60, y: y + 50, text: vendor.greeting, size: 11 });
  return {
    html: typeset(marks, rules, random.pick(fonts)),
    width: paperWidth,
    height: paperHeight,
    expected: {
      invoice_number: number,
      invoice_date: iso(day),
      due_date: iso(due),
      vendor_name: vendor.name,
      customer_name: buyer,
      ...(order !== undefined && { order_number: order }),
      net_amount: sale.net,
      vat_amount: sale.tax,
      total_amount: sale.total,
      items: sale.items.map(({ what: description, count: quantity, sum: amount }) => ({
        description,
        quantity,
        amount,
      })),
    },
    absent: {
      ...(order === undefined && { order_number: 'string' as const }),
      discount: 'number',
      ship_date: 'string',
    },
    descriptions: {},
  };
}

/** A narrow till slip with the quantity before or after the goods. */
export function drawSlip(vendor: Vendor, random: Random, variant: number): DrawnDocument {
  const sale = sell({ ...vendor, tax: { ...vendor.tax, rate: 0 } }, random, 4);
  const day = someDay(random, 2022, 2025);
  const number = random.digits(6);
  const tax = cents(sale.total - sale.total / (1 + vendor.tax.rate / 100));
  const cash = Math.ceil(sale.total / 50) * 50;
  const { till } = vendor;
  const line = (left: string, right: string): string =>
    `<div style="display:flex;justify-content:space-between"><span>${escaped(left)}</span><span>${escaped(right)}</span></div>`;
  const goods = sale.items.map(({ what, count, price, sum }) =>
    variant % 2 === 0
      ? line(`${count} x ${what}`, money(vendor, sum))
      : `<div>${escaped(what)}</div>${line(`  ${count} × ${money(vendor, price)}`, money(vendor, sum))}`,
  );
  const body = [
    `<div style="text-align:center;font-weight:bold">${escaped(vendor.name)}</div>`,
    ...vendor.address.map((text) => `<div style="text-align:center">${escaped(text)}</div>`),
    '<div>&nbsp;</div>',
    line(`${till.number} ${number}`, written(vendor, day)),
    '<div>&nbsp;</div>',
    ...goods,
    '<hr>',
    `<b>${line(till.total, money(vendor, sale.total))}</b>`,
    line(till.cash, money(vendor, cash)),
    line(till.change, money(vendor, cents(cash - sale.total))),
    line(till.tax, money(vendor, tax)),
    `<div style="text-align:center;padding-top:12px">${escaped(vendor.greeting)}</div>`,
  ];
  return {
    html: sheet("body{padding:16px;font:13px 'DejaVu Sans Mono'}", body.join('')),
    width: 400,
    height: undefined,
    expected: {
      shop: vendor.name,
      date: iso(day),
      receipt_number: number,
      total: sale.total,
      cash_given: cash,
      change: cents(cash - sale.total),
      vat: tax,
    },
    absent: { tip: 'number' },
    descriptions: { shop: 'Name of the shop', cash_given: 'Cash given', vat: 'VAT in total' },
  };
}
