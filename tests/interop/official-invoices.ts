/** Electronic invoices of public test sets: what the product reads of them, and which changed values it finds. */
import { agreesWithEmbedded, embeddedValues } from '@docwright/documents';
import type { SignedInProduct } from '../sdk/signed-in-product.ts';

type Values = Record<string, string>;
/** An invoice as another XML reader sees it. */
export interface OfficialInvoice {
  file: string;
  values: Values;
  lines: Values[];
}

const map = Object.entries({
  number: 'number',
  issue_date: 'issue_date',
  due_date: 'due_date',
  currency: 'currency',
  seller: 'seller.name',
  buyer: 'buyer.name',
  iban: 'payment.iban',
  net: 'totals.net',
  tax: 'totals.tax',
  gross: 'totals.gross',
  payable: 'totals.payable',
  'lines[].quantity': 'lines[].quantity',
  'lines[].net': 'lines[].net',
  'lines[].text': 'lines[].name',
}).map(([field, from]) => ({ field, from: `invoice_xml.${from}` }));

/** Of a hundred values, so many are changed. */
const changedPercent = 17;

/**
 * Uploads the invoices, writes their values as pages print them, changes some, and compares them with what the product has
 * read. Returns the counts in one line.
 *
 * @throws Error naming the first values that are missing, missed or falsely called different
 */
export async function officialInvoices(
  { client }: Pick<SignedInProduct, 'client'>,
  invoices: readonly OfficialInvoice[],
): Promise<string> {
  const random = randomOf(28);
  const pick = <Choice>(choices: readonly Choice[]): Choice => choices[Math.floor(random() * choices.length)]!;
  const counts = { values: 0, planted: 0 };
  const faults: string[] = [];
  for (const { file, values, lines } of invoices) {
    const { id } = await client.documents.upload(file);
    const { machine_data: machineData = [] } = await client.documents.waitForText(id);
    const planted = new Set<string>();
    const shown = (path: string, value: string): string | number => {
      const other = random() * 100 < changedPercent ? changed(value, random) : value;
      if (other !== value) planted.add(path);
      return pick(formsOf(other, values['currency'] ?? 'EUR'));
    };
    const shownIn = (given: Values, prefix = '') =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, shown(prefix + name, value)]));
    const head = shownIn(values);
    const rows = lines.map((line, index) => shownIn(line, `lines.${index}.`));
    const embedded = embeddedValues({ machineData, map, result: { ...head, lines: rows } }).values;
    const flat = { ...head };
    for (const [index, row] of rows.entries()) {
      for (const [name, value] of Object.entries(row)) flat[`lines.${index}.${name}`] = value;
    }
    for (const [path, value] of Object.entries(flat)) {
      counts.values += 1;
      if (planted.has(path)) counts.planted += 1;
      const differs = path in embedded && !agreesWithEmbedded(value, embedded[path]!);
      if (!(path in embedded)) faults.push(`${file} lacks ${path}`);
      else if (differs !== planted.has(path)) faults.push(`${file} ${path}: ${value} beside ${embedded[path]!}`);
    }
  }
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`);
  return `${invoices.length} invoices whole, ${counts.planted} planted differences of ${counts.values} values found, no false one`;
}

/** Park and Miller's generator. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Another digit in place of one, or another letter in place of the last. */
function changed(value: string, random: () => number): string {
  const places = [...value.matchAll(/\d/g)].map(({ index }) => index);
  const place = places[Math.floor(random() * places.length)];
  if (place === undefined) return `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`;
  const digit = String((Number(value[place]) + 1 + Math.floor(random() * 9)) % 10);
  const other = value.slice(0, place) + digit + value.slice(place + 1);
  // 30 February is no date that a page prints.
  const isDate = /^\d{4}-\d\d-\d\d$/.test(other);
  return isDate && Number.isNaN(Date.parse(other)) ? '2031-03-07' : other;
}

/** How pages print a value. */
function formsOf(value: string, currency: string): (string | number)[] {
  const amount = /^(-?)(\d+)\.(\d\d)$/.exec(value);
  if (amount) {
    const [, sign, whole, cents] = amount as unknown as [string, string, string, string];
    const grouped = (separator: string) => sign + whole.replaceAll(/\B(?=(\d{3})+$)/g, separator);
    return [
      value,
      Number(value),
      `${grouped('.')},${cents} ${currency}`,
      `${currency} ${grouped(',')}.${cents}`,
      `${grouped(' ')},${cents}`,
    ];
  }
  if (/^\d{4}-\d\d-\d\d$/.test(value)) {
    const date = new Date(`${value}T00:00:00Z`);
    const words = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    return [value, ...['en-GB', 'de-DE', 'fr-FR', 'es-ES'].map((locale) => date.toLocaleDateString(locale, words))];
  }
  if (/^[A-Z]{2}\d{2}[\dA-Z]{10,}$/.test(value)) return [value, value.replaceAll(/(.{4})/g, '$1 ').trim()];
  return /\d/.test(value) ? [value] : [value, value.toUpperCase(), value.replaceAll(' ', '\n')];
}
