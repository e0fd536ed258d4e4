import { expect, it } from 'vitest';
import { drawForm } from './form.ts';
import { drawInvoice } from './invoice.ts';
import { formFields, paperLabels, type Wordings } from './locale.ts';
import { german } from './locales/de.ts';
import { english } from './locales/en.ts';
import { spanish } from './locales/es.ts';
import { french } from './locales/fr.ts';
import { italian } from './locales/it.ts';
import { madeCount } from './make-documents.ts';
import { Random } from './random.ts';
import { Writer } from './writer.ts';

const locales = [english, german, french, italian, spanish];

it.each(locales)('shares no wording, name or goods between the halves: $code', (locale) => {
  const shared = ([development, heldOut]: Wordings): string[] => development.filter((text) => heldOut.includes(text));
  const wordings = [
    ...paperLabels.map((name) => locale.labels[name]),
    ...formFields.map((name) => locale.captions[name]),
    locale.companies,
    locale.people,
    locale.goods,
    locale.formTitles,
  ];
  expect(wordings.flatMap(shared)).toEqual([]);
});

it('draws the same document from the same seed, with sums that add up', () => {
  const draw = (): ReturnType<typeof drawInvoice> => drawInvoice(new Writer(german, 'development', new Random(7)));
  const { html, expected } = draw();
  expect(draw().html).toBe(html);
  const { subtotal, tax_amount: tax, total } = expected as Record<string, number>;
  expect(subtotal! + tax!).toBeCloseTo(total!, 2);
});

it('leaves fields of a form empty and asks for them', () => {
  const { absent, expected } = drawForm(new Writer(french, 'held_out', new Random(11)));
  expect(Object.keys(absent)).toHaveLength(2);
  expect(Object.keys(absent).filter((name) => name in expected)).toEqual([]);
});

it('makes at least sixty documents', () => {
  expect(madeCount).toBeGreaterThanOrEqual(60);
});
