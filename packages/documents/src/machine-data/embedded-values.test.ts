import type { MachineData, MappedField } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { agreesWithEmbedded, embeddedValues } from './embedded-values.ts';

type Scalar = string | number | boolean | null;

const map: MappedField[] = [
  { field: 'number', from: 'invoice_xml.number' },
  { field: 'date', from: 'invoice_xml.issue_date' },
  { field: 'seller.name', from: 'invoice_xml.seller.name' },
  { field: 'iban', from: 'invoice_xml.payment.iban' },
  { field: 'total', from: 'invoice_xml.totals.gross' },
  { field: 'lines[].text', from: 'invoice_xml.lines[].name' },
  { field: 'lines[].quantity', from: 'invoice_xml.lines[].quantity' },
  { field: 'lines[].net', from: 'invoice_xml.lines[].net' },
];

/** The same invoice as XML says it, and as a model reads it from a page of the locale. */
function invoiceOf(seed: number) {
  const random = randomOf(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const locale = pick(['de-DE', 'en-GB', 'fr-FR', 'es-ES', 'de-CH']);
  const asNumbers = random() < 0.5;
  const amount = () => Math.round(10 ** (1 + random() * 6)) / 100;
  const money = (value: number): Scalar =>
    asNumbers ? value : `${value.toLocaleString(locale, { minimumFractionDigits: 2 })} EUR`;
  const day = new Date(
    Date.UTC(2020 + Math.floor(random() * 8), Math.floor(random() * 12), 1 + Math.floor(random() * 28)),
  );
  const iso = day.toISOString().slice(0, 10);
  const printed = pick([
    iso,
    day.toLocaleDateString('de-DE', { timeZone: 'UTC' }),
    day.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
  ]);
  const iban = `DE${String(Math.floor(random() * 1e9)).padStart(20, '1')}`;
  const total = amount();
  const rows = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, at) => ({
    text: `${pick(['Chain', 'Oil', 'Größe M', 'Service', 'Café'])} ${at}`,
    quantity: 1 + Math.floor(random() * 40),
    net: amount(),
  }));
  const number = pick(['R-', '2026/', 'INV 0', '00']) + Math.floor(random() * 1e5);
  const data = {
    number,
    issue_date: iso,
    seller: { name: 'Müller & Söhne GmbH' },
    payment: { iban },
    totals: { gross: total.toFixed(2) },
    lines: rows.map(({ text, quantity, net }) => ({ name: text, quantity: `${quantity}.0000`, net: net.toFixed(2) })),
  };
  const result = {
    number,
    date: printed,
    seller: { name: pick(['Müller & Söhne GmbH', 'MÜLLER & SÖHNE GMBH', 'Müller  &  Söhne GmbH']) },
    iban: pick([iban, iban.replaceAll(/(.{4})/g, '$1 ').trim()]),
    total: money(total),
    lines: rows.map(({ text, quantity, net }) => ({
      text,
      quantity: asNumbers ? quantity : String(quantity),
      net: money(net),
    })),
  };
  return { random, result, machineData: [{ kind: 'invoice_xml', data }] satisfies MachineData[] };
}

/** Park and Miller's generator. */
function randomOf(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function differing(result: unknown, machineData: MachineData[]): string[] {
  const { values } = embeddedValues({ machineData, map, result });
  return Object.entries(values).flatMap(([path, embedded]) =>
    agreesWithEmbedded(at(result, path), embedded) ? [] : [path],
  );
}

const at = (value: unknown, path: string) =>
  path.split('.').reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], value) as Scalar;

/** Another digit or letter in place of one; of a text of the page, one that the XML has too. */
function altered(value: Scalar, random: () => number): Scalar {
  if (typeof value === 'number') return value + 1 + Math.floor(random() * 9);
  const text = String(value);
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index);
  if (places.length === 0) return `${text.slice(0, -1)}x`;
  const place = places[Math.floor(random() * places.length)]!;
  return (
    text.slice(0, place) + String((Number(text[place]) + 1 + Math.floor(random() * 8)) % 10) + text.slice(place + 1)
  );
}

describe('the values for machines of a result', () => {
  it('agree however the page writes them: none of 500 invoices has a false difference', () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const { result, machineData } = invoiceOf(seed);
      expect(differing(result, machineData), JSON.stringify(result)).toEqual([]);
    }
  });

  it('differ where one is changed: all of 500 planted differences are found, and nothing else', () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const { result, machineData, random } = invoiceOf(1_000 + seed);
      const { values } = embeddedValues({ machineData, map, result });
      const paths = Object.keys(values);
      const path = paths[Math.floor(random() * paths.length)]!;
      const parent = path.includes('.') ? at(result, path.slice(0, path.lastIndexOf('.'))) : result;
      const key = path.split('.').at(-1)!;
      const holder = parent as unknown as Record<string, Scalar>;
      holder[key] = altered(holder[key]!, random);
      expect(differing(result, machineData), `${path} of ${JSON.stringify(result)}`).toEqual([path]);
    }
  });

  it('find the rows that the result lacks or has too many', () => {
    const { result, machineData } = invoiceOf(7);
    const [first, ...rest] = result.lines;
    const short = { ...result, lines: rest };
    expect(embeddedValues({ machineData, map, result: short }).shortLists).toEqual(['lines']);
    expect(differing(short, machineData)).toEqual([]);
    const invented = { text: 'Delivery 99', quantity: 77, net: 1.23 };
    const long = { ...result, lines: [first!, invented, ...rest] };
    expect(differing(long, machineData)).toEqual(['lines.1.text', 'lines.1.quantity', 'lines.1.net']);
  });

  it('are none where two codes say different things, or the document says nothing', () => {
    const code = (iban: string): MachineData => ({ kind: 'qr_code', data: { iban } });
    const ofCode = [{ field: 'iban', from: 'qr_code.iban' }];
    const result = { iban: 'DE1' };
    expect(embeddedValues({ machineData: [code('DE1'), code('DE2')], map: ofCode, result }).values).toEqual({});
    expect(embeddedValues({ machineData: [code('DE 1'), code('DE1')], map: ofCode, result }).values).toEqual({
      iban: 'DE 1',
    });
    expect(embeddedValues({ machineData: [], map: ofCode, result }).values).toEqual({});
  });

  it('have the type of their field', () => {
    const schema = { properties: { total: { type: ['number', 'null'] }, number: { type: 'string' } } };
    const machineData: MachineData[] = [{ kind: 'invoice_xml', data: { number: '0012', totals: { gross: '84.00' } } }];
    const { values } = embeddedValues({ machineData, map, schema, result: { total: null, number: '12' } });
    expect(values).toEqual({ total: 84, number: '0012' });
    expect(agreesWithEmbedded('12', '0012')).toBe(false);
    const long = [{ kind: 'invoice_xml' as const, data: { totals: { gross: '9007199254740993.80' } } }];
    const rounded = embeddedValues({ machineData: long, map, schema, result: { total: 9_007_199_254_740_994 } });
    expect(rounded.values).toEqual({ total: '9007199254740993.80' });
    expect(agreesWithEmbedded(9_007_199_254_740_994, '9007199254740993.80')).toBe(false);
    expect(agreesWithEmbedded(9_007_199_254_740_994, '9007199254740994.00')).toBe(true);
    expect(agreesWithEmbedded('9007199254740994', '9007199254740993.80')).toBe(false);
  });

  it.each([
    ['1 000 000 000,90', '1000000000.99', false],
    [1_000_530_668.44, '1000530668.46', false],
    [0.1 + 0.2, '0.30', true],
    [1e21, '1000000000000000000000', true],
    ['12345678901234567891', '12345678901234567890', false],
    [12_345_678_901_234_567_000, '12345678901234567890', false],
    ['1234 5678', '12345678', true],
    ['1234 5679', '12345678', false],
  ])('%s and %s are compared by every digit', (value, embedded, isSame) => {
    expect(agreesWithEmbedded(value, embedded)).toBe(isSame);
  });
});
