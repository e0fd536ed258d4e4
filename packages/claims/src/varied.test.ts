import { expect, it } from 'vitest';
import { checkAtOnce } from './testing/check-at-once.ts';
import { firstVaried } from './testing/varied-first.ts';
import { secondVaried } from './testing/varied-second.ts';
import { wronglyCalled } from './testing/varied-third.ts';
import { documents, evidence, type VariedSentence } from './testing/varied-world.ts';

/** Sentences that are judged otherwise than they are. */
const misjudged = (sentences: readonly VariedSentence[]) =>
  sentences.flatMap(({ text, locale, isTrue }) => {
    const [claim] = checkAtOnce({ text, evidence, documents, locale });
    const isRight = isTrue ? claim?.support === 'supported' : claim?.support === 'unsupported';
    return isRight ? [] : [{ text, isTrue, support: claim?.support, why: claim?.why }];
  });

it.each([
  ['that the rules were made with', firstVaried],
  ['that were measured once after them', secondVaried],
])('judges sentences in other forms than the generated ones, %s', (_, sentences) => {
  expect(sentences.length).toBeGreaterThanOrEqual(60);
  expect(misjudged(sentences)).toEqual([]);
});

it('tells apart the fields that a value can be of', () => {
  expect(misjudged(wronglyCalled)).toEqual([]);
});
