import { describe, expect, it } from 'vitest';
import { amountsIn, decimalSignOf } from './amount.ts';
import { codedValues, currencyOf, isIban } from './coded.ts';
import { datesIn, dayOrderOf } from './date.ts';

describe('amountsIn', () => {
  it.each([
    ['1.234,56 €', ',', [1234.56]],
    ['$1,234.56', '.', [1234.56]],
    ["CHF 1'250.00", '.', [1250]],
    ['1 260,00 €', ',', [1260]],
    ['-12,50', ',', [-12.5]],
    ['(45.00)', '.', [-45]],
    ['1.234', ',', [1234]],
    ['1.234', '.', [1.234]],
    ['19 %', '.', []],
    ['12.05.2024', ',', []],
    ['A4-100', '.', []],
    ['2 x 3.50', '.', [2, 3.5]],
  ] as const)('%s with decimal %s', (text, decimal, expected) => {
    expect(amountsIn(text, decimal).map(({ value }) => value)).toEqual(expected);
  });

  it('finds the decimal sign that most amounts of a document use', () => {
    expect(decimalSignOf('1.000,00 and 12,50 and 3.5')).toBe(',');
    expect(decimalSignOf('1,000.00 and 12.50')).toBe('.');
  });
});

describe('datesIn', () => {
  it.each([
    ['2024-05-03', '2024-05-03'],
    ['03.05.2024', '2024-05-03'],
    ['7. Mai 2014', '2014-05-07'],
    ['August 3 , 2014', '2014-08-03'],
    ['19 april 2014', '2014-04-19'],
    ['1er février 2023', '2023-02-01'],
    ['3rd March 2021', '2021-03-03'],
    ['21.05.14', '2014-05-21'],
    ['12-Jan-2020', '2020-01-12'],
    ['25/12/2024', '2024-12-25'],
    ['12/25/2024', '2024-12-25'],
  ])('%s', (written, iso) => {
    expect(datesIn(written, 'day_first')[0]?.iso).toBe(iso);
  });

  it('reads 3/4/2021 as the document writes its other dates', () => {
    expect(datesIn('3/4/2021', dayOrderOf('3/4/2021 and 12/25/2021'))[0]?.iso).toBe('2021-03-04');
    expect(datesIn('3/4/2021', dayOrderOf('3/4/2021 and 25/12/2021'))[0]?.iso).toBe('2021-04-03');
    expect(datesIn('3/4/2021', dayOrderOf('$5.00 on 3/4/2021'))[0]?.iso).toBe('2021-03-04');
    const french = 'Facture du 3/4/2021 pour les travaux, montant 5.00 $ avec taxes';
    expect(datesIn('3/4/2021', dayOrderOf(french))[0]?.iso).toBe('2021-04-03');
    expect(datesIn('3/4/2021', dayOrderOf('3/4/2021, Leeds LS1 4AP, paid in USD'))[0]?.iso).toBe('2021-04-03');
    expect(datesIn('3/4/2021', dayOrderOf('3/4/2021, Los Angeles, CA 90012, Rue du Port'))[0]?.iso).toBe('2021-03-04');
  });

  it('finds no date in other numbers', () => {
    expect(datesIn('31.02.2024, version 1.2.3, 99/99/2024', 'day_first')).toEqual([]);
  });
});

describe('coded values', () => {
  it('recognizes an IBAN by its check digits', () => {
    expect(isIban('DE02 1203 0000 0000 2020 51')).toBe(true);
    expect(isIban('NL810433941B01')).toBe(false);
  });

  it('finds VAT ids of several countries', () => {
    expect(codedValues.vatId.exec('BTW NL812345678B01')?.[0]).toBe('NL812345678B01');
    expect(codedValues.vatId.exec('USt-IdNr. DE298765431')?.[0]).toBe('DE298765431');
  });

  it('names the currency with the most frequent mark', () => {
    expect(currencyOf('€ 5,00 and 3 EUR, formerly $2')).toBe('EUR');
    expect(currencyOf('no money here')).toBeNull();
  });
});
