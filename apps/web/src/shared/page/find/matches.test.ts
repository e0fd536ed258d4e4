import { describe, expect, it } from 'vitest';
import { matchCollections, matchPages, sortByRelevance, nextIndex, type Match } from './matches.ts';

const named = (...names: string[]): Match[] => names.map((name) => ({ kind: 'document', id: name, name }));

describe('search by name', () => {
  it('sorts by relevance and otherwise keeps the order', () => {
    const matches = named('my-invoices.pdf', 'preinvoice', 'Invoice two', 'invoice', 'Invoice one');
    expect(sortByRelevance(matches, 'Invoice').map(({ name }) => name)).toEqual([
      'invoice',
      'Invoice two',
      'Invoice one',
      'my-invoices.pdf',
      'preinvoice',
    ]);
  });

  it('finds pages once there is a text', () => {
    expect(matchPages('sched').map(({ id }) => id)).toEqual(['/schedules', '/schedules/new']);
    expect(matchPages('')).toEqual([]);
  });

  it('finds collections in any letter case', () => {
    const collections = ['Contracts', 'Invoices 2026', 'Old invoices'].map((name) => ({ id: name, name }));
    expect(matchCollections(collections, 'INVOICE').map(({ name }) => name)).toEqual(['Invoices 2026', 'Old invoices']);
  });

  it('wraps around at the ends of the list', () => {
    expect(nextIndex(2, 1, 3)).toBe(0);
    expect(nextIndex(0, -1, 3)).toBe(2);
  });
});
