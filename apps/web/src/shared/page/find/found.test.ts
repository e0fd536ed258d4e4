import { describe, expect, it } from 'vitest';
import { foundCollections, foundPlaces, nearestFirst, nextIndex, type Found } from './found.ts';

const named = (...names: string[]): Found[] => names.map((name) => ({ kind: 'document', id: name, name }));

describe('what is found', () => {
  it('stands nearest first, else as it came', () => {
    const found = named('my-invoices.pdf', 'preinvoice', 'Invoice two', 'invoice', 'Invoice one');
    expect(nearestFirst(found, 'Invoice').map(({ name }) => name)).toEqual([
      'invoice',
      'Invoice two',
      'Invoice one',
      'my-invoices.pdf',
      'preinvoice',
    ]);
  });

  it('are places too, once there is a text', () => {
    expect(foundPlaces('sched').map(({ id }) => id)).toEqual(['/schedules', '/schedules/new']);
    expect(foundPlaces('')).toEqual([]);
  });

  it('are collections too, whatever the case', () => {
    const collections = ['Contracts', 'Invoices 2026', 'Old invoices'].map((name) => ({ id: name, name }));
    expect(foundCollections(collections, 'INVOICE').map(({ name }) => name)).toEqual(['Invoices 2026', 'Old invoices']);
  });

  it('is walked round', () => {
    expect(nextIndex(2, 1, 3)).toBe(0);
    expect(nextIndex(0, -1, 3)).toBe(2);
  });
});
