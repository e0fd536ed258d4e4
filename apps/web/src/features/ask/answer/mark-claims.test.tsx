import type { Claim } from '@docwright/contract';
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { MarkedMarkdown } from '../../../agent-ui/markdown/markdown.tsx';
import { citationsOf } from '../sources/source-labels.ts';
import { markClaims, withoutCitations } from './mark-claims.ts';

const cell = (id: string) => ({ id, kind: 'cell' as const, document_id: 'd'.repeat(24), value: 5 });

function claimOf(text: string, sentence: string, rest: Partial<Claim>): Claim {
  const from = text.indexOf(sentence);
  return { text: sentence, from, to: from + sentence.length, support: 'supported', citations: [], ...rest };
}

function show(text: string, claims: Claim[]) {
  const { container } = render(
    <MarkedMarkdown
      text={text}
      mark={() => markClaims(claims)}
      marks={{
        cite: (props) => <cite>{`(${String((props as Record<string, unknown>)['data-id'])})`}</cite>,
        small: (props) => <small>{claims[Number((props as Record<string, unknown>)['data-claim'])]?.why}</small>,
      }}
    />,
  );
  return container;
}

describe('an answer with checked sentences', () => {
  it('strikes an unsupported sentence across its emphasis, with the reason once behind its end', () => {
    const text = 'Good [[c1]]. The sum is **7 EUR** in all [[c2]]. The end.';
    const bad = claimOf(text, 'The sum is **7 EUR** in all [[c2]].', {
      support: 'unsupported',
      why: '7 is not in what is cited.',
      citations: [cell('c2')],
    });
    const container = show(text, [claimOf(text, 'Good [[c1]].', { citations: [cell('c1')] }), bad]);
    const struck = [...container.querySelectorAll('s')].map(({ textContent }) => textContent);
    expect(struck).toEqual(['The sum is ', '7 EUR', ' in all ', '.']);
    expect([...container.querySelectorAll('cite')].map(({ textContent }) => textContent)).toEqual(['(c1)', '(c2)']);
    expect([...container.querySelectorAll('small')].map(({ textContent }) => textContent)).toEqual([bad.why]);
    expect(container.textContent).toBe('Good (c1). The sum is 7 EUR in all (c2).7 is not in what is cited. The end.');
  });

  it('finds sentences in lists, tables and behind escapes, and shows no id that nothing is known of', () => {
    const text = '- One &amp; two [[c1, zz]]\n- Three\n\n| a | b |\n|---|---|\n| four | five [[c1]] |';
    const claims = [
      claimOf(text, 'One &amp; two [[c1, zz]]', { citations: [cell('c1')], support: 'unsupported', why: 'No.' }),
      claimOf(text, '| four | five [[c1]] |', { citations: [cell('c1')], support: 'unsupported', why: 'Not so.' }),
    ];
    const container = show(text, claims);
    expect(container.textContent).not.toContain('[[');
    expect(container.textContent).not.toContain('zz');
    expect(container.querySelector('li')?.querySelector('s')?.textContent).toContain('One & two');
    expect([...container.querySelectorAll('tbody td s')].map(({ textContent }) => textContent)).toEqual([
      'four',
      'five ',
    ]);
    expect(container.querySelectorAll('small')).toHaveLength(2);
  });

  it('numbers citations in their order, and hides marks while an answer streams', () => {
    const text = 'A [[c2]] b [[c1]] [[c2]].';
    expect(
      citationsOf([claimOf(text, text, { citations: [cell('c2'), cell('c1'), cell('c2')] })]).map(({ id }) => id),
    ).toEqual(['c2', 'c1']);
    expect(withoutCitations('It is 5 EUR [[c1]], and 6 [[c')).toBe('It is 5 EUR, and 6');
    expect(withoutCitations('See [the page](page:1) [')).toBe('See [the page](page:1)');
  });
});
