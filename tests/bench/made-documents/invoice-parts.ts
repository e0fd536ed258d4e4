import type { Half } from './locale.ts';
import { escaped as text } from './writer.ts';

/** The texts of an invoice. */
export interface InvoiceTexts {
  title: string;
  seller: { name: string; street: string; place: string; contact: string };
  buyer: { label: string; name: string; street: string; place: string };
  delivery: { label: string; name: string; street: string; place: string } | undefined;
  /** Caption and value, the invoice's number first. */
  facts: readonly (readonly [string, string])[];
  columns: readonly ItemColumn[];
  rows: readonly Readonly<Record<string, string>>[];
  sums: readonly (readonly [string, string])[];
  note: string;
  bank: readonly (readonly [string, string])[];
}

export interface ItemColumn {
  name: string;
  header: string;
  isNumber: boolean;
}

type Part = (texts: InvoiceTexts) => string;
type Parts = Readonly<Record<Half, readonly Part[]>>;

const rows = (lines: readonly string[]): string => lines.map((line) => `<div>${text(line)}</div>`).join('');
const sellerLines = ({ seller }: InvoiceTexts): string => rows([seller.street, seller.place, seller.contact]);
const partyLines = (party: { name: string; street: string; place: string }): string =>
  rows([party.name, party.street, party.place]);

export const heads: Parts = {
  development: [
    (t) =>
      `<div style="display:flex;justify-content:space-between"><div><b style="font-size:22px">${text(t.seller.name)}</b>${sellerLines(t)}</div><h1>${text(t.title)}</h1></div>`,
    (t) =>
      `<div style="text-align:center"><b style="font-size:20px">${text(t.seller.name)}</b>${sellerLines(t)}</div><h2>${text(t.title)}</h2>`,
    (t) =>
      `<div style="text-align:right"><b>${text(t.seller.name)}</b>${sellerLines(t)}</div><h1>${text(t.title)}</h1>`,
  ],
  held_out: [
    (t) =>
      `<div style="background:#223;color:#fff;padding:14px;font-size:24px">${text(t.seller.name)}</div><div style="font-size:11px;padding:4px 14px">${text(`${t.seller.street} · ${t.seller.place} · ${t.seller.contact}`)}</div><h2>${text(t.title)}</h2>`,
    (t) =>
      `<div style="display:flex;justify-content:space-between"><h1>${text(t.title)}</h1><div style="border-left:3px solid #555;padding-left:10px"><b>${text(t.seller.name)}</b>${sellerLines(t)}</div></div>`,
    (t) =>
      `<h1 style="text-align:center;letter-spacing:1px">${text(t.title)}</h1><div style="font-size:10px;text-decoration:underline">${text(`${t.seller.name} – ${t.seller.street} – ${t.seller.place}`)}</div>`,
  ],
};

const deliveryBlock = ({ delivery }: InvoiceTexts): string =>
  delivery ? `<div><b>${text(delivery.label)}</b>${partyLines(delivery)}</div>` : '';

export const buyers: Parts = {
  development: [
    (t) =>
      `<div style="display:flex;gap:120px"><div><b>${text(t.buyer.label)}:</b>${partyLines(t.buyer)}</div>${deliveryBlock(t)}</div>`,
    (t) => `<div style="margin-top:20px">${partyLines(t.buyer)}</div>`,
  ],
  held_out: [
    (t) =>
      `<table><tr><td style="padding-right:30px;color:#444">${text(t.buyer.label)}</td><td>${partyLines(t.buyer)}</td></tr></table>`,
    (t) =>
      `<div style="display:flex;gap:20px">${[t.buyer, ...(t.delivery ? [t.delivery] : [])].map((p) => `<div style="border:1px solid #333;width:300px"><div style="background:#333;color:#fff;padding:3px 8px">${text(p.label)}</div><div style="padding:6px 8px">${partyLines(p)}</div></div>`).join('')}</div>`,
  ],
};

export const facts: Parts = {
  development: [
    (t) =>
      `<table style="margin-left:auto">${t.facts.map(([k, v]) => `<tr><td style="padding-right:20px">${text(k)}:</td><td class="r">${text(v)}</td></tr>`).join('')}</table>`,
    (t) =>
      `<table style="width:100%"><tr>${t.facts.map(([k]) => `<th>${text(k)}</th>`).join('')}</tr><tr>${t.facts.map(([, v]) => `<td>${text(v)}</td>`).join('')}</tr></table>`,
    (t) => `<div>${t.facts.map(([k, v]) => `<div>${text(k)}: ${text(v)}</div>`).join('')}</div>`,
  ],
  held_out: [
    (t) =>
      `<div style="display:grid;grid-template-columns:1fr 1fr;border:1px solid #000;width:420px;margin-left:auto">${t.facts.map(([k, v]) => `<div style="border:1px solid #000;padding:3px 6px"><div style="font-size:9px">${text(k)}</div>${text(v)}</div>`).join('')}</div>`,
    (t) =>
      `<table>${t.facts.map(([k, v]) => `<tr><td style="width:190px">${text(k)}</td><td>${text(v)}</td></tr>`).join('')}</table>`,
    (t) =>
      `<div style="display:flex;gap:34px;border-top:2px solid #888;border-bottom:2px solid #888;padding:6px 0">${t.facts.map(([k, v]) => `<div><div style="color:#555;font-size:11px">${text(k)}</div><b>${text(v)}</b></div>`).join('')}</div>`,
  ],
};

function table(t: InvoiceTexts, style: { table: string; head: string; cell: string }, sums = ''): string {
  const align = (column: ItemColumn): string => (column.isNumber ? ' class="r"' : '');
  const head = t.columns.map((c) => `<th${align(c)} style="${style.head}">${text(c.header)}</th>`).join('');
  const body = t.rows
    .map(
      (row) =>
        `<tr>${t.columns.map((c) => `<td${align(c)} style="${style.cell}">${text(row[c.name] ?? '')}</td>`).join('')}</tr>`,
    )
    .join('');
  return `<table style="width:100%;${style.table}"><tr>${head}</tr>${body}${sums}</table>`;
}

const sumRows = (t: InvoiceTexts, cell: string): string =>
  t.sums
    .map(
      ([k, v]) =>
        `<tr><td colspan="${t.columns.length - 1}" class="r" style="${cell}">${text(k)}</td><td class="r" style="${cell}">${text(v)}</td></tr>`,
    )
    .join('');
const sumBlock = (t: InvoiceTexts, style: string): string =>
  `<table style="margin-left:auto;margin-top:10px;${style}">${t.sums.map(([k, v]) => `<tr><td style="padding:2px 24px 2px 4px">${text(k)}</td><td class="r">${text(v)}</td></tr>`).join('')}</table>`;

const boxed = 'border:1px solid #222;padding:3px 6px';

/** The table of goods and the sums below it. */
export const bodies: Parts = {
  development: [
    (t) => table(t, { table: '', head: boxed, cell: boxed }) + sumBlock(t, ''),
    (t) =>
      table(t, { table: '', head: 'border-bottom:2px solid #000;padding:4px', cell: 'padding:4px' }) +
      sumBlock(t, 'border-top:1px solid #000'),
    (t) => table(t, { table: '', head: boxed, cell: boxed }, sumRows(t, boxed)),
  ],
  held_out: [
    (t) =>
      table(t, { table: '', head: 'background:#345;color:#fff;padding:5px', cell: 'padding:5px' }) + sumBlock(t, ''),
    (t) =>
      `${table(t, { table: 'font-size:12px;', head: 'font-weight:normal;color:#555;padding:3px', cell: 'padding:3px;border-bottom:1px dotted #999' })}<div style="display:flex;margin-top:14px;border:1px solid #000">${t.sums.map(([k, v]) => `<div style="flex:1;border-right:1px solid #000;padding:4px"><div style="font-size:10px">${text(k)}</div>${text(v)}</div>`).join('')}</div>`,
    (t) =>
      table(
        t,
        {
          table: '',
          head: 'border-top:1px solid #000;border-bottom:1px solid #000;padding:3px',
          cell: 'padding:3px;height:34px',
        },
        sumRows(t, 'border-top:1px solid #ccc;padding:3px'),
      ),
  ],
};

export const feet: Parts = {
  development: [
    (t) =>
      `<p>${text(t.note)}</p><div style="border-top:1px solid #999;display:flex;gap:40px;font-size:10px">${t.bank.map(([k, v]) => `<div>${text(k)}: ${text(v)}</div>`).join('')}</div>`,
  ],
  held_out: [
    (t) =>
      `<div style="border-top:1px solid #999;font-size:10px;display:flex;justify-content:space-between"><div>${text(t.seller.name)}<br>${text(t.seller.street)}<br>${text(t.seller.place)}</div><div>${t.bank.map(([k, v]) => `${text(k)} ${text(v)}<br>`).join('')}</div></div><p style="font-size:10px">${text(t.note)}</p>`,
  ],
};
