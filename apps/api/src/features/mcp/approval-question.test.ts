import type { Preview, ProposedCall } from '@docwright/contract';
import { expect, it } from 'vitest';
import { approvalQuestion } from './approval-question.ts';

const call = (preview: Preview | undefined, args = '{}'): ProposedCall => ({
  id: 'c',
  name: 'update_prompt',
  arguments: args,
  effect: 'read_write',
  summary: 'Change the prompt',
  needs_approval: true,
  ...(preview && { preview }),
});

it.each<[Preview, string]>([
  [{ kind: 'create', collides_with: [] }, 'The name is not used yet.'],
  [{ kind: 'create', collides_with: [{ id: '1', name: 'Totals' }] }, 'The name is already used by: “Totals”.'],
  [{ kind: 'difference', title: 'Prompt “Totals”', before: 'old', after: 'new' }, 'Before:\nold\nAfter:\nnew'],
  [{ kind: 'field', path: 'total', old_value: 5, new_value: '6', page_num: 1 }, 'total: 5 becomes "6"'],
  [{ kind: 'delete', name: 'Totals', dependents: [] }, '“Totals” would be deleted.'],
  [
    { kind: 'delete', name: 'Totals', dependents: [{ kind: 'prompt', id: '1', name: 'P' }], dependent_count: 7 },
    '7 records depend on it: prompt “P” …',
  ],
])('describes the change: %o', (preview, words) => {
  expect(approvalQuestion(call(preview), 'Cursor', 'https://here')).toContain(words);
});

const totals = { fixed: 5, broken: 0, accuracy_before: 0.961, accuracy_after: 0.984 };
const evaluationOf = (more: object = {}) => ({
  state: 'completed',
  documents: { total: 12, done: 12 },
  totals,
  ...more,
});
it.each<[object, string]>([
  [{ verified_documents: 0, spu_estimated: 0 }, 'it cannot be measured'],
  [{ verified_documents: 1, spu_estimated: 1 }, 'not measured. 1 document verified'],
  [{ verified_documents: 12, evaluation: evaluationOf() }, '12 documents: 5 fixed, 0 broken, 96.1 % → 98.4 %.'],
  [{ verified_documents: 12, evaluation: evaluationOf(), stale: true }, 'This is out of date'],
  [
    { verified_documents: 12, evaluation: evaluationOf({ state: 'running', documents: { total: 12, done: 3 } }) },
    '3 of 12 documents measured so far.',
  ],
  [
    {
      verified_documents: 9,
      evaluations: [
        { evaluation: evaluationOf() },
        { evaluation: evaluationOf({ state: 'failed', documents: { total: 2, done: 0 } }) },
      ],
    },
    '96.1 % → 98.4 %; not measured (failed).',
  ],
])('describes the measured effect: %o', (evaluation, words) => {
  const preview = { kind: 'difference', title: 'P', before: 'a', after: 'b', evaluation } as unknown as Preview;
  expect(approvalQuestion(call(preview), 'Cursor', 'https://here')).toContain(words);
});

it('names the client, shows the shortened arguments, and links to all of them', () => {
  const question = approvalQuestion(call(undefined, `{"content":"${'x'.repeat(5_000)}"}`), 'Cursor', 'https://here');
  expect(question).toMatch(/^Cursor wants to run update_prompt in Docwright: Change the prompt\./u);
  expect(question).toContain('… (cut here)');
  expect(question).toContain('https://here');
  expect(question.length).toBeLessThan(2_500);
});
