import { describe, expect, it } from 'vitest';
import { call, conversation } from '../../../testing/plan-conversation.ts';

const measure = call('evaluate_change', { prompt_id: 'a'.repeat(24), content: 'Read it.' });

function measuring(documents: number, askAbove: number, rules: Parameters<typeof conversation>[1] = {}) {
  const talk = conversation([measure], rules);
  Object.assign(talk.services, {
    evaluations: { ...talk.services.evaluations, size: async () => ({ documents, askAbove }) },
  });
  return talk;
}

describe('evaluate_change', () => {
  it('asks only above the number of documents that the organization sets', async () => {
    const few = measuring(10, 10);
    await few.start();
    expect(few.waiting()).toEqual([]);
    const many = measuring(11, 10);
    await many.start();
    expect(many.waiting()).toMatchObject([
      { name: 'evaluate_change', summary: 'Measure a change on up to 20 verified documents' },
    ]);
  });

  it('asks even if everything is approved automatically, unless a rule names the number', async () => {
    const automatic = measuring(11, 10, { turn: { autoApprove: true } });
    await automatic.start();
    expect(automatic.waiting()).toHaveLength(1);
    const rule = { id: 'r', tool: 'evaluate_change', effect: 'allow' as const, scope: 'organization' as const };
    const allowed = measuring(11, 10, { rules: [{ ...rule, when: { path: 'max_documents', equals: 20 } }] });
    await allowed.start();
    expect(allowed.waiting()).toEqual([]);
  });
});
