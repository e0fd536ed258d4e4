/** Words for all tasks in several languages. */
const everyTask = /\b(all|every|everything|alle|alles|jede[nrs]?|tout(e|es)?|tous|todos?|todas?|tutt[aeio])\b/u;

/**
 * Whether the user named a task: with at least half of its title's words, with a word for all tasks, or by answering the
 * agent, which had named it. Texts of titles and documents do not count.
 */
export function isNamed(title: string, { person, agent }: { person: string; agent: string }): boolean {
  const message = folded(person);
  if (everyTask.test(message) || folded(agent).includes(folded(title))) return true;
  const words = wordsOf(title);
  const spokenWords = wordsOf(person);
  const named = words.filter((word) =>
    spokenWords.some((each) => each.startsWith(word) || (each.length > 3 && word.startsWith(each))),
  );
  return words.length === 0 ? message.includes(folded(title)) : named.length * 2 >= words.length;
}

/** Words for something named before, in several languages. Those that can precede a noun count at the end only. */
const backReference = new RegExp(
  [
    String.raw`\b(it|ihn)\b`,
    String.raw`\b(this|that|es|das|sie|den|die|diese[nrs]?|celle-?ci|celui-?ci|cela|ca|est[aeo]|eso|es[ae]|quest[ao]|quell[ao])( (one|task|aufgabe|please|bitte|now|jetzt|again|wieder))*$`,
    String.raw`-(le|la)\b|\b\p{L}{4,}(lo|la)$`,
  ].join('|'),
  'u',
);
/** A longer message says what it means. */
const maxWords = 10;

/** Whether a short message means something that was named before it, as in "delete it". */
export function pointsBack(message: string): boolean {
  const text = folded(message)
    .replaceAll(/[.,!?]+/gu, '')
    .trim();
  return text.split(' ').length <= maxWords && backReference.test(text);
}

function wordsOf(text: string): string[] {
  return (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2);
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
