import { expect, it } from 'vitest';
import { yesOrNo } from './tick-boxes.ts';

it('reads a single word or box', () => {
  for (const text of ['Yes', 'ja', 'oui, parfois', 'sí', '☒', '[x]', '(x) I agree']) expect(yesOrNo(text)).toBe(true);
  for (const text of ['No', 'nein', 'Non', '☐', '[ ]', '☐ I agree']) expect(yesOrNo(text)).toBe(false);
  for (const text of ['', 'perhaps', 'I said yes', 'number', 'yesterday']) expect(yesOrNo(text)).toBeUndefined();
});

it('reads the ticked one of two words, with boxes before or after the words', () => {
  for (const text of ['☒ Yes ☐ No', 'X yes    no', 'Yes [x]  No [ ]', '[ ] No [x] Yes'])
    expect(yesOrNo(text)).toBe(true);
  for (const text of ['☐ Yes ☒ No', 'Yes ☐ No ☒', 'sì  no X', '( ) ja (x) nein']) expect(yesOrNo(text)).toBe(false);
});

it('returns undefined when the text can mean both', () => {
  for (const text of ['yes / no', 'Yes X No', '☐ Yes ☐ No', '☒ Yes ☒ No']) expect(yesOrNo(text)).toBeUndefined();
});
