import type { Route, RouteSimulation } from '@docwright/contract';
import { expect, it } from 'vitest';
import { simulatedGroups, takenBy, thenParts, whenParts } from './route-labels.ts';

const names = { tag: (id: string) => `T${id}`, prompt: (id: string) => `P${id}`, source: (id: string) => `S${id}` };

it('says which documents a route takes', () => {
  const when: Route['when'] = {
    mime_types: ['application/pdf', 'x/y'],
    pages: { max: 1 },
    text_contains: ['invoice', 'total due'],
    source_id: '1',
    like: { prompt_id: '2' },
  };
  expect(whenParts({ when }, names)).toEqual([
    'from S1',
    'PDF or x/y',
    'at most 1 page',
    'text has “invoice”, “total due”',
    'like the verified documents of P2',
  ]);
  expect(whenParts({ when: {} }, names)).toEqual(['every document']);
  expect(whenParts({ when: { pages: { min: 2, max: 5 } } }, names)).toEqual(['2 to 5 pages']);
});

it('says what a document gets', () => {
  const then: Route['then'] = {
    tag_ids: ['1', '2'],
    on_arrival: { run_prompts: false },
    metadata: { year: 2026 },
    split: 'apply',
    never_to_model: true,
  };
  expect(thenParts({ then, stop: false }, names)).toEqual([
    'tag T1, T2',
    'run no prompts',
    'set year to 2026',
    'split it where it is sure',
    'keep it from models',
    'then try the next route',
  ]);
  expect(thenParts({ then: {}, stop: true }, names)).toEqual(['nothing']);
});

it('groups a simulation by where documents would go, in the order of the routes', () => {
  const at = (document_id: string, state: 'routed' | 'unsure' | 'none', routes: string[]) => ({
    document_id,
    document_name: document_id,
    state,
    routes,
    why: '',
  });
  const simulation: RouteSimulation = {
    documents: [at('1', 'none', []), at('2', 'routed', ['B']), at('3', 'routed', ['A', 'B']), at('4', 'unsure', ['A'])],
    confusion: [],
  };
  expect(simulatedGroups(simulation, ['A', 'B']).map(({ label, documents }) => [label, documents.length])).toEqual([
    ['A + B', 1],
    ['B', 1],
    ['Unsure: a user decides', 1],
    ['No route', 1],
  ]);
  expect(takenBy(simulation, 'A')).toBe(1);
});
