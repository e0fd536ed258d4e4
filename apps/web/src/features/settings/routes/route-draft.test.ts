import type { Route } from '@docwright/contract';
import { expect, it } from 'vitest';
import { draftProblems, movedIds, pairsOf, routeBody, routeDraft, routesWith } from './route-draft.ts';

const route: Route = {
  id: 'r',
  position: 0,
  created_by: 'u',
  updated_at: '2026-11-01T00:00:00Z',
  name: 'Invoices',
  when: {
    name_matches: 'inv',
    text_contains: ['invoice', 'total due'],
    mime_types: ['application/pdf'],
    metadata: { sender: '@acme\\.com$' },
    pages: { min: 1, max: 5 },
    source_id: 's',
    like: { prompt_id: 'p' },
    described_as: 'An invoice.',
  },
  then: {
    tag_ids: ['t'],
    metadata: { kind: 'invoice', year: 2026, tags: ['a'] },
    name: '{date} {original}',
    never_to_model: true,
    split: 'apply',
    on_arrival: { run_prompts: true, auto_create: true },
  },
  stop: false,
  trust: true,
  min_confidence: 0.955,
  enabled: false,
};

it('a route survives its form unchanged, with values of metadata that are no text', () => {
  const { id: _id, position: _position, created_by: _by, updated_at: _at, ...body } = route;
  expect(routeBody(routeDraft(route), route)).toEqual(body);
});

it('an empty form gives a route that takes every document and gives nothing', () => {
  expect(routeBody({ ...routeDraft(), name: ' All ' })).toEqual({
    name: 'All',
    when: {},
    then: {},
    stop: true,
    trust: false,
    min_confidence: 0.9,
    enabled: true,
  });
});

it('what a route starts on arrival is one choice', () => {
  for (const [starts, expected] of [
    ['tags', undefined],
    ['prompts', { run_prompts: true }],
    ['proposal', { run_prompts: false, auto_create: true }],
    ['nothing', { run_prompts: false }],
  ] as const) {
    const { then } = routeBody({ ...routeDraft(), starts });
    expect(then.on_arrival).toEqual(expected);
    expect(routeDraft({ ...route, then }).starts).toBe(starts);
  }
});

it('says which field cannot be sent', () => {
  expect(pairsOf('a: b: c\n\n')).toEqual({ a: 'b: c' });
  const draft = {
    ...routeDraft(),
    metadata: 'kind',
    metadataPatterns: ': x',
    minPages: '5',
    maxPages: '2',
    confidence: '30',
  };
  expect(Object.keys(draftProblems(draft)).toSorted()).toEqual(['maxPages', 'metadata', 'metadataPatterns']);
  expect(draftProblems({ ...draft, likePromptId: 'p' }).confidence).toBeDefined();
  expect(draftProblems(routeDraft(route))).toEqual({});
});

it('a route moves by one place, and is simulated in its place', () => {
  expect(movedIds(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b']);
  expect(movedIds(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(movedIds(['a', 'b'], 'a', -1)).toEqual(['a', 'b']);
  const changed = routeBody({ ...routeDraft(route), name: 'New' }, route);
  const other = { ...route, id: 'o', name: 'Other' };
  expect(routesWith([other, route], changed, 'r').map(({ name }) => name)).toEqual(['Other', 'New']);
  expect(routesWith([other, route], changed, undefined).map(({ name }) => name)).toEqual(['Other', 'Invoices', 'New']);
});
