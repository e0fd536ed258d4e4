import { sentencesIn } from '../provenance/asked-clauses.ts';
import { orderingClauses } from '../provenance/spoken-orders.ts';
import { foldAccents } from '../provenance/text/folded-text.ts';
import { TextIndex } from '../provenance/text/text-index.ts';

/**
 * What a user orders or tells in a message: without questions, with what they forbid or withdraw left out. “Do not delete the bank call” and
 * “what does the bank call say?” name no task to be changed.
 */
function orderedIn(message: string): string {
  const words = new TextIndex<'message'>();
  words.add({ text: message, place: 'message' });
  const clauses = orderingClauses(words);
  if (clauses.length === 0) return '';
  // A sentence with an order also names by its other words, as in “I do not need to call the bank, delete it”.
  const sentences = [...sentencesIn(foldAccents(message))].filter((each) =>
    each.clauses.some(({ isQuestion }) => !isQuestion),
  );
  return [...clauses, ...sentences.map(({ said }) => said)].join('\n');
}

/** Words for all tasks in several languages. */
const everyTask = /\b(all|every|everything|alle|alles|jede[nrs]?|tout(e|es)?|tous|todos?|todas?|tutt[aeio])\b/u;

/** The beginning of a message that asks to see something, in several languages. */
const asksToSee = new RegExp(
  String.raw`^((please|bitte|and|und|can you|could you|kannst du|hey|hi|hello|hallo|ok|so)[ ,]+)*(show|list|what|which|how|when|tell|give|read|are|is|do i|have i|zeige?|liste?|was|welche[nrs]?|wie|wann|nenne?|gib|sage?|lies|habe ich|montre|affiche|quel(le)?s?|combien|dis|quand|muestra|lista|que|cual(es)?|cuantas?|cuando|dime|mostra|elenca|qual[ei]|quant[ei]|quando|dimmi|che)`,
  'u',
);
/** Words that ask for a change, in several languages, by their beginning. */
const asksToChange =
  /\b(delet|remov|eras|clear|complet|finish|mark|tick|close|chang|renam|mov|postpon|shift|reopen|losch|entfern|erledig|abhak|schlie|ander|verschieb|supprim|efface|enlev|termine|coche|repouss|borr|elimin|quit|marc|cancell|rimuov|complet|segn|spost)/u;

/** Whether the agent asked about a task: it is named in a question or below one. A list of tasks alone asks nothing. */
function isAskedAbout(title: string, agent: string): boolean {
  const named = folded(title);
  for (let at = agent.indexOf(named); at !== -1; at = agent.indexOf(named, at + 1)) {
    const end = /[.!?\n]/u.exec(agent.slice(at + named.length))?.[0];
    if (end === '?' || agent.slice(0, at).includes('?')) return true;
  }
  return false;
}

/**
 * Whether the user named a task in what they order or tell: with at least half of its title's words, with a word for all tasks that
 * it does not only ask to see, or by answering the agent, which had asked about it. Texts of titles and documents do not count.
 */
export function isNamed(title: string, { person, agent }: { person: string; agent: string }): boolean {
  const ordered = orderedIn(person);
  if (ordered === '') return false;
  const message = folded(person);
  const meansEvery = everyTask.test(folded(ordered)) && (!asksToSee.test(message) || asksToChange.test(message));
  if (meansEvery || isAskedAbout(title, foldedLines(agent))) return true;
  const words = wordsOf(title);
  const spokenWords = wordsOf(ordered);
  const named = words.filter((word) =>
    spokenWords.some((each) => each.startsWith(word) || (each.length > 3 && word.startsWith(each))),
  );
  return words.length === 0 ? message.includes(folded(title)) : named.length * 2 >= words.length;
}

/** Whether a text has the title of a task in it. */
export const mentions = (text: string, title: string): boolean => folded(text).includes(folded(title));

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
  if (orderedIn(message) === '') return false;
  const text = folded(message)
    .replaceAll(/[.,!?]+/gu, '')
    .trim();
  return text.split(' ').length <= maxWords && backReference.test(text);
}

function wordsOf(text: string): string[] {
  return (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2);
}

/** Folded line by line. */
const foldedLines = (text: string): string => text.split('\n').map(folded).join('\n');

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
