import { describe, expect, it } from 'vitest';
import { keepKnownMentions, markOf, mentionsIn, plainDraft } from './mention-markup.ts';

const odd = { id: 'schema:65f0', display: '$& [a](b) __id__ @x “é” v2' };
const tag = { id: 'tag:77', display: 'Urgent' };

describe('mentions in a draft', () => {
  it('support names with any character', () => {
    const draft = `Use ${markOf(odd)} and ${markOf(tag)}, and ${markOf(tag)} again`;
    expect(plainDraft(draft)).toBe(`Use @${odd.display} and @Urgent, and @Urgent again`);
    expect(mentionsIn(draft)).toEqual([
      { type: 'schema', id: '65f0' },
      { type: 'tag', id: '77' },
    ]);
  });

  it('cannot be forged by pasted text', () => {
    const before = `Use ${markOf(tag)}`;
    const forged = markOf({ id: 'prompt:evil', display: 'Urgent' });
    const after = keepKnownMentions(`${before} ${forged} \uE000x`, before, [odd]);
    expect(mentionsIn(after)).toEqual([{ type: 'tag', id: '77' }]);
    expect(plainDraft(after)).toBe('Use @Urgent Urgent x');
  });

  it('can be picked from the choices', () => {
    expect(mentionsIn(keepKnownMentions(markOf(odd), '@', [odd]))).toEqual([{ type: 'schema', id: '65f0' }]);
  });
});
