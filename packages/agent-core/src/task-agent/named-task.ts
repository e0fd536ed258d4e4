/** Words that name every task, or every one of a kind, in the languages that people write here. */
const everyTask = /\b(all|every|everything|alle|alles|jede[nrs]?|tout(e|es)?|tous|todos?|todas?|tutt[aeio])\b/u;

/**
 * Whether the person named a task: by half of its title's words at least, by naming all of them, or by answering the
 * agent, which had named it. What stands in a title or a document names nothing.
 */
export function isNamed(title: string, { person, agent }: { person: string; agent: string }): boolean {
  const said = folded(person);
  if (everyTask.test(said) || folded(agent).includes(folded(title))) return true;
  const words = wordsOf(title);
  const heard = wordsOf(person);
  const named = words.filter((word) =>
    heard.some((each) => each.startsWith(word) || (each.length > 3 && word.startsWith(each))),
  );
  return words.length === 0 ? said.includes(folded(title)) : named.length * 2 >= words.length;
}

function wordsOf(text: string): string[] {
  return (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2);
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
