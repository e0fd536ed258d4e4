import { expect, it } from 'vitest';
import { checkAtOnce } from './testing/check-at-once.ts';
import { allCases, type Case } from './testing/render.ts';
import { documents, evidenceWith } from './testing/world.ts';

const cases = [...allCases()];

/** How a sentence of the cases was judged. */
const judge = ({ text, more, locale }: Case) => {
  const claims = checkAtOnce({ text, evidence: evidenceWith(more), documents, locale });
  return { text, supports: claims.map(({ support }) => support), why: claims.find(({ why }) => why)?.why };
};

for (const isAside of [false, true]) {
  const some = cases.filter((each) => each.isAside === isAside);
  const name = isAside ? 'of the third set aside' : 'of the rest';

  it(`shows no untrue sentence ${name} as supported`, () => {
    const lies = some.filter(({ lie }) => lie !== undefined);
    const shown = lies.flatMap((each) => {
      const judged = judge(each);
      return judged.supports.every((support) => support !== 'unsupported') ? [{ ...judged, lie: each.lie }] : [];
    });
    expect(lies.length).toBeGreaterThan(150);
    expect(shown).toEqual([]);
  });

  it(`strikes at most 3 % of the true sentences ${name}`, () => {
    const truths = some.filter(({ lie }) => lie === undefined);
    const struck = truths.map(judge).filter(({ supports }) => supports.some((support) => support !== 'supported'));
    expect(truths.length).toBeGreaterThan(150);
    expect(
      struck.length / truths.length,
      JSON.stringify(struck.slice(0, isAside ? 0 : 60), null, 1),
    ).toBeLessThanOrEqual(0.03);
  });
}

it('has five hundred sentences of each', () => {
  const lies = cases.filter(({ lie }) => lie !== undefined).length;
  expect([lies >= 500, cases.length - lies >= 500]).toEqual([true, true]);
});
