import { expect, it } from 'vitest';
import { checkAtOnce } from './testing/check-at-once.ts';
import { splitSentences } from './split-sentences.ts';

const sentences = (text: string) => splitSentences(text).map(({ from, to }) => text.slice(from, to).trim());

it('ends a sentence behind an amount in EUR, and none behind the abbreviation in front of one', () => {
  expect(sentences('The deposit is 500 EUR. It is not refundable.')).toHaveLength(2);
  expect(sentences('Die Summe ist EUR. 500 im Jahr.')).toHaveLength(1);
});

it('does not take the negation of the next sentence for one of the amount’s', () => {
  const text = 'The deposit is 500 EUR. It is not refundable.';
  const passage = { kind: 'passage' as const, id: 'p1', document_id: 'd', page_num: 1, text };
  const documents = [{ id: 'd', name: 'lease.txt', names: [] }];
  const [claim] = checkAtOnce({ text: 'The deposit is 500 EUR [[p1]].', evidence: [passage], documents });
  expect(claim?.support).toBe('supported');
});
