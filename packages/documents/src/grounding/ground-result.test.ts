import { describe, expect, it } from 'vitest';
import { pageOf } from '../testing/grid-page.ts';
import { groundAtOnce } from '../testing/ground-at-once.ts';
import type { Grounding } from './grounding.ts';

/** Grounds one value on a page of text. */
function ground(value: unknown, text: string, name = 'field'): Pick<Grounding, 'match' | 'quote'> {
  const { match, quote } = groundAtOnce({ [name]: value }, [pageOf(text)])[name]!;
  return { match, quote };
}

describe('one value', () => {
  it.each([
    { what: 'as written', value: 'INV-100', text: 'Invoice INV-100 of', match: 'exact', quote: 'INV-100' },
    {
      what: 'of several words',
      value: 'Acme & Sons',
      text: 'to Acme & Sons, London',
      match: 'exact',
      quote: 'Acme & Sons,',
    },
    {
      what: 'after the colon of its label, even if it is short',
      value: '2',
      text: 'Customer:2 of 12',
      match: 'normalized',
      quote: 'Customer:2',
    },
    {
      what: 'in other case and accents',
      value: 'MULLER gmbh',
      text: 'Müller GmbH',
      match: 'normalized',
      quote: 'Müller GmbH',
    },
    {
      what: 'without its spaces',
      value: 'DE232446240',
      text: 'VAT DE 232 446 240',
      match: 'normalized',
      quote: 'DE 232 446 240',
    },
    {
      what: 'over two lines of a cell',
      value: 'Red oak chair',
      text: 'Item     Red oak   12\n         chair     13',
      match: 'exact',
      quote: 'Red oak chair',
    },
    {
      what: 'broken by a hyphen',
      value: 'example text',
      text: 'exam-\nple text',
      match: 'normalized',
      quote: 'exam- ple text',
    },
    {
      what: 'with a letter misread',
      value: 'Riverside Court',
      text: 'at Rlverside Court in',
      match: 'fuzzy',
      quote: 'Rlverside Court',
    },
    {
      what: 'one word misread',
      value: 'Consulting',
      text: 'for Consu1ting Consvlting',
      match: 'fuzzy',
      quote: 'Consvlting',
    },
    { what: 'with another digit', value: 'INV-100', text: 'Invoice INV-101', match: 'none', quote: null },
    { what: 'nowhere', value: 'Paris', text: 'London Berlin', match: 'none', quote: null },
    { what: 'a short number inside another', value: 10, text: 'Room 210 A10', match: 'none', quote: null },
    {
      what: 'an amount in English notation',
      value: 1234.5,
      text: 'Total $1,234.50',
      match: 'normalized',
      quote: '$1,234.50',
    },
    {
      what: 'an amount in German notation',
      value: 1234.5,
      text: 'Summe 1.234,50 €',
      match: 'normalized',
      quote: '1.234,50',
    },
    {
      what: 'an amount in French notation',
      value: 1234.5,
      text: 'Total 1 234,50 €',
      match: 'normalized',
      quote: '1 234,50',
    },
    {
      what: 'an amount in Swiss notation',
      value: 1234.5,
      text: 'CHF1’234.50',
      match: 'normalized',
      quote: 'CHF1’234.50',
    },
    {
      what: 'an amount as the model wrote it',
      value: '$1,234.50',
      text: 'Total 1.234,50',
      match: 'normalized',
      quote: '1.234,50',
    },
    {
      what: 'a negative amount in brackets',
      value: -50,
      text: 'Credit (50.00)',
      match: 'normalized',
      quote: '(50.00)',
    },
    { what: 'a share as per cent', value: 0.19, text: 'VAT 19%', match: 'normalized', quote: '19%' },
    {
      what: 'an ISO date in American order',
      value: '2019-11-15',
      text: 'Date 11/15/2019',
      match: 'normalized',
      quote: '11/15/2019',
    },
    {
      what: 'an ISO date in European order',
      value: '2019-11-05',
      text: 'Datum: 05.11.2019',
      match: 'normalized',
      quote: '05.11.2019',
    },
    {
      what: 'an ISO date in English words',
      value: '2014-08-03',
      text: 'on August 3rd, 2014.',
      match: 'normalized',
      quote: 'August 3rd, 2014.',
    },
    {
      what: 'an ISO date in German words',
      value: '2014-05-07',
      text: 'am 7. Mai 2014',
      match: 'normalized',
      quote: '7. Mai 2014',
    },
    {
      what: 'an ISO date in French words',
      value: '2024-02-01',
      text: 'le 1er février 2024',
      match: 'normalized',
      quote: '1er février 2024',
    },
    {
      what: 'an ISO date in Polish words',
      value: '2024-03-09',
      text: '9 marca 2024 r.',
      match: 'normalized',
      quote: '9 marca 2024',
    },
    {
      what: 'an ISO date with a year of two digits',
      value: '2018-10-18',
      text: 'Date 18-Oct-18',
      match: 'normalized',
      quote: '18-Oct-18',
    },
    { what: 'another day', value: '2019-11-15', text: 'Date 11/16/2019', match: 'none', quote: null },
    { what: 'a currency by its sign', value: 'EUR', text: 'Total 12,00 €', match: 'normalized', quote: '€' },
  ])('$what', ({ value, text, match, quote }) => {
    expect(ground(value, text)).toEqual({ match, quote });
  });

  it('of a type that no page shows has no entry', () => {
    expect(groundAtOnce({ paid: true, note: null, blank: ' ' }, [pageOf('true null')])).toEqual({});
  });

  it('has one box for each of its lines, in fractions of the page', () => {
    const { boxes, page_num } = groundAtOnce({ name: 'Ada Lovelace' }, [
      pageOf('x'),
      { ...pageOf('by Ada\nLovelace'), page_num: 2 },
    ])['name']!;
    expect(page_num).toBe(2);
    expect(boxes.map((box) => box.page_num)).toEqual([2, 2]);
    expect(boxes[0]).toMatchObject({ x0: expect.closeTo((36 + 3 * 5.4) / 612, 4), y0: expect.closeTo(36 / 792, 4) });
    expect(boxes[1]).toMatchObject({ x0: expect.closeTo(36 / 612, 4), y1: expect.closeTo((36 + 22) / 792, 4) });
  });
});

describe('a value with several places', () => {
  const y = (grounding: Grounding | undefined): number => Math.round((grounding!.boxes[0]!.y0 * 792 - 36) / 11) + 0;
  const x = (grounding: Grounding | undefined): number => Math.round((grounding!.boxes[0]!.x0 * 612 - 36) / 5.4);

  it('is chosen near a label like its name, before it or above it', () => {
    const page = pageOf('Deposit:    100.00\nTotal due:  100.00\n\nOrder date    Due date\n1/2/2024      1/2/2024');
    const grounded = groundAtOnce({ total: 100, deposit: 100, due_date: '2024-01-02' }, [page]);
    expect([y(grounded['total']), y(grounded['deposit'])]).toEqual([1, 0]);
    expect([x(grounded['due_date']), y(grounded['due_date'])]).toEqual([14, 4]);
  });

  it('is chosen on the row of its list element, the rows in order', () => {
    const page = pageOf('1 May\nQty  Item   Price\n1    Chair  20.00\n1    Chair  20.00\n2    Lamp   20.00');
    const chair = { item: 'Chair', qty: 1, price: 20 };
    const grounded = groundAtOnce({ items: [chair, chair, { item: 'Lamp', qty: 2, price: 20 }] }, [page]);
    const rows = [0, 1, 2].map((i) => ['item', 'qty', 'price'].map((field) => y(grounded[`items.${i}.${field}`])));
    expect(rows).toEqual([
      [2, 2, 2],
      [3, 3, 3],
      [4, 4, 4],
    ]);
  });

  it('is chosen in the column of its header, or of the other values if no header is like its name', () => {
    const page = pageOf('Ware    Preis   Summe\nStuhl   20,00   20,00\nTisch   80,00   160,00\nLampe   15,00   30,00');
    const items = [
      { unit: 20, amount: 20 },
      { unit: 80, amount: 160 },
      { unit: 15, amount: 30 },
    ];
    const grounded = groundAtOnce({ items }, [page]);
    expect([x(grounded['items.0.unit']), x(grounded['items.0.amount'])]).toEqual([8, 16]);
  });

  it('is chosen outside of a list if the list has it as well', () => {
    const page = pageOf('Chair  50.00\n\nNetto  50.00');
    const grounded = groundAtOnce({ subtotal: 50, items: [{ item: 'Chair', amount: 50 }] }, [page]);
    expect([y(grounded['items.0.amount']), y(grounded['subtotal'])]).toEqual([0, 2]);
  });
});

it('finds values on a sideways page', () => {
  const page = pageOf('Invoice number 4711\nTotal amount 12.50');
  const words = page.words.map((word) => ({
    text: word.text,
    x0: 792 - word.y1,
    x1: 792 - word.y0,
    y0: word.x0,
    y1: word.x1,
  }));
  const grounded = groundAtOnce({ total: 12.5, name: 'number 4711' }, [{ ...page, width: 792, height: 612, words }]);
  expect(grounded['total']?.quote).toBe('12.50');
  expect(grounded['name']?.boxes).toHaveLength(1);
});

it('grounds hundreds of values on hundreds of pages within seconds', () => {
  const pages = Array.from({ length: 200 }, (_, page) =>
    pageOf(
      Array.from(
        { length: 50 },
        (_, row) => `Item ${page * 50 + row} of the list costs ${row}.25 on 3.${(row % 12) + 1}.2024`,
      ).join('\n'),
      page + 1,
    ),
  );
  const result = Array.from({ length: 200 }, (_, index) => ({
    a: `Item ${index * 7}`,
    b: index % 50,
    c: `Missing ${index}`,
    d: '2024-05-03',
  }));
  const start = process.cpuUsage();
  groundAtOnce(
    { fields: Object.fromEntries(result.slice(0, 50).map((fields, index) => [`f${index}`, fields])) },
    pages,
  );
  const milliseconds = process.cpuUsage(start).user / 1000;
  expect(milliseconds).toBeLessThan(10_000);
});

describe('a value with several places that fit equally well', () => {
  const page = pageOf('Paid 40.00\n\nOpen 40.00\n\nHeld 40.00\n\nKept 40.00');

  it('has no exact match', () => {
    expect(groundAtOnce({ amount: '40.00' }, [page])['amount']).toMatchObject({ match: 'normalized', places: 4 });
    expect(groundAtOnce({ amount: '40.00' }, [pageOf('Paid 40.00')])['amount']).toMatchObject({ match: 'exact' });
  });

  it('has the place of the quoted words if they are on the page', () => {
    const grounded = groundAtOnce({ amount: '40.00' }, [page], { amount: 'Held 40.00' })['amount']!;
    expect(grounded).toMatchObject({ match: 'exact' });
    expect(grounded.places).toBeUndefined();
    expect(Math.round((grounded.boxes[0]!.y0 * 792 - 36) / 11)).toBe(4);
    expect(groundAtOnce({ amount: '40.00' }, [page], { amount: 'Lost 40.00' })['amount']).toMatchObject({ places: 4 });
  });

  it('has no place if the quoted words do not contain it', () => {
    const grounded = groundAtOnce({ amount: '41.00' }, [page], { amount: 'Held 40.00' })['amount'];
    expect(grounded).toMatchObject({ match: 'none' });
  });
});
