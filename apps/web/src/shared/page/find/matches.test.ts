import { describe, expect, it } from 'vitest';
import {
  addressOf,
  matchActions,
  matchCollections,
  matchPages,
  placeLabel,
  sortByRelevance,
  nextIndex,
  type Match,
} from './matches.ts';

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

  it('finds sections of the settings and actions of the page', () => {
    expect(matchPages('webhook')).toEqual([
      { kind: 'page', id: '/settings?section=webhooks', name: 'Settings: Webhooks' },
    ]);
    const actions = [{ name: 'Upload documents' }, { name: 'Dark theme' }];
    expect(matchActions(actions, 'DARK')).toEqual([{ kind: 'action', id: 'Dark theme', name: 'Dark theme' }]);
    expect(matchActions(actions, '')).toHaveLength(2);
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

it('names the place of words in a document, and leads there', () => {
  const about = { document_id: 'd', document_name: 'a.pdf' };
  const value = { ...about, kind: 'value' as const, path: 'lines.0.total', prompt_revid: 'p', excerpt: '12.50' };
  expect(placeLabel(value)).toBe('Lines 1 · Total: 12.50');
  expect(addressOf(value)).toEqual({ field: 'lines.0.total', prompt: 'p' });
  const page = { ...about, kind: 'page' as const, page_num: 3, start: 5, end: 9, excerpt: 'to Oslo by' };
  expect(placeLabel(page)).toBe('Page 3: to Oslo by');
  expect(addressOf(page)).toEqual({ page: 3, start: 5, end: 9 });
  const matches: Match[] = [{ kind: 'document', id: 'd', name: 'oslo', place: page }, ...named('my oslo trip')];
  expect(sortByRelevance(matches, 'oslo').map(({ name }) => name)).toEqual(['my oslo trip', 'oslo']);
});
