import { expect, it } from 'vitest';
import { nearest, profileOf } from './word-profile.ts';

const letters = {
  invoice: 'Muster Bikes invoice number 7. Chains and pedals, amount due in thirty days.',
  order: 'Purchase order for the canteen: potatoes, onions, apples.',
  contract: 'Rental contract for the flat in Hill Street between landlord and tenant.',
};
const candidates = Object.entries(letters).map(([name, text]) => ({ name, profile: profileOf(text) }));
const names = async (text: string) => (await nearest(profileOf(text), candidates)).map(({ name }) => name);

it('ranks texts by shared words in any form, rare words first', async () => {
  expect((await names('Invoices of Muster Bikes for a pedal'))[0]).toBe('invoice');
  expect((await names('The tenants rent a flat'))[0]).toBe('contract');
  expect((await names('An onion and an apple'))[0]).toBe('order');
});

it('leaves out a copy of the text', async () => {
  expect(await names(`${letters.order}\n`)).toEqual(['contract', 'invoice']);
  expect((await names(`${letters.order} Pears.`))[0]).toBe('order');
});

it('keeps the order of equal candidates, and accepts texts without words', async () => {
  expect(await names('')).toEqual(['invoice', 'order', 'contract']);
  expect(await nearest(profileOf('x'), [])).toEqual([]);
});
