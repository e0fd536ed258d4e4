import { sentencesIn, type Sentence } from '../provenance/asked-clauses.ts';
import { imperative } from '../provenance/wording/order-forms.ts';
import { foldAccents } from '../provenance/text/folded-text.ts';

/** “Cancel it” and “forget it” are orders for a task, unless the agent has just asked about it. */
const cancelsTask =
  /^(?!(?:no|nope|nein|non|nee|nao|stop|wait|oh)\b).*\b(?:cancel|annul\p{L}*|storn\p{L}*|cancell?[ae]\p{L}*|forget|vergiss|oubli\p{L}*|olvid\p{L}*|dimentic\p{L}*|esquec\p{L}*|vergeet)\b/u;
const affirmed = /^(?:yes|yeah|yep|sure|ja|jawohl|oui|si|sim|tak|да)[^\p{L}]/u;
/** “Not the contract, the bank call” */
const correction =
  /^(?:(?:no|nein|non|nee|nao)[^\p{L}]+)?(?:not|nicht|pas|no|non|niet|nao|nie) (?!now|yet|today|jetzt|heute|maintenant|ahora|ora\b)([^,.;!?\n]{1,60}), (?:but |sondern |mais |sino |ma )?(?=\p{L})/u;
const whyNot = /^(?:why not|warum nicht|pourquoi pas|(?:y )?por ?que no|perche no|waarom niet)\b/u;
/** “Do not forget it” alone orders no change. */
const remembersIt = /\b(?:do not|don.?t|never) forget (?:about )?(?:it|this|that)[\s.!]*$/u;
/** “Mark it as not done” */
const notDone = /\b(as|als|comme|como|come) (?:not|nicht|non|no|pas) (?=\p{L})/gu;
/** “That would be wrong” and “bad idea” deny, “that would be great” does not. */
const judges =
  /(?<!\p{L})(?:would|ware|waren|serait|seria|sarebbe|zou|bylby|byloby|бы|wrong|mistake|bad|error|pity|shame|falsch|fehler|schlecht\p{L}*|schade|faux|erreur|mauvaise?|dommage|malo|mala|lastima|sbagliat[oa]|errore|peccato|fout|slecht|jammer|errado|erro|pena|zly|szkoda|ошибк\p{L}*|жаль)(?!\p{L})/u;
const approves =
  /(?<!\p{L})(?:good|great|nice|fine|perfect|lovely|love|like|ok|okay|right|correct|helpful|wonderful|excellent|best|better|works?|helps?|awesome|amazing|ideal|useful|cool|brilliant|fantastic|sensible|wise|appreciated?|gut|super|toll|schon|prima|richtig|nett|klasse|besser|lieb|hilfreich|sinnvoll|praktisch|perfekt|wunderbar|bien|parfaite?|genial|gentil|mieux|bueno|buena|perfecto|estupendo|mejor|bene|bello|perfetto|ottim[oa]|meglio|goed|mooi|fijn|beter|bom|boa|otim[oa]|melhor|dobrze|super|хорошо|отлично|лучше)(?!\p{L})/u;
const denies = /(?<!\p{L})(?:not|t|no|nicht|kein\p{L}*|pas|non|niet|geen|nao|nie|не)(?!\p{L})/u;
/** “I would delete it” */
const ofUser = /^(?:i|we|ich|wir|je|on|yo|io|eu|ik|wij|я|мы) /u;
const refusingSign = /👎|❌|🚫|⛔|🛑/u;

/** What a user says in a message. Folded. */
interface Reading {
  /** Since the last withdrawal, without what the user forbids or excepts. */
  readonly meant: string;
  readonly refused: string;
  /** The user withdraws, forbids or denies, and says no more. */
  readonly declines: boolean;
  /** It is nothing but questions without a change: “what does the bank call say?” “Can we delete it?” asks for one. */
  readonly onlyAsks: boolean;
}

/** @param isAsked the agent has just asked about the task */
function read(message: string, isAsked: boolean): Reading {
  const [corrected = '', wrong = ''] = correction.exec(folded(message)) ?? [];
  const isCorrection = corrected !== '' && !asksToChange.test(wrong);
  const text = (isCorrection ? folded(message).slice(corrected.length) : foldAccents(message)).replaceAll(
    notDone,
    '$1 un',
  );
  const pieces = text.split(/(?<=[.!?؟？;\n])/u).filter((each) => each.trim() !== '');
  const all = pieces.map((piece) => ({ piece: folded(piece), sentences: [...sentencesIn(piece)] }));
  const isWithdrawal = ({ piece, sentences }: (typeof all)[number]): boolean =>
    sentences.some((each) => each.isWithdrawal || each.isBareNo === true || each.isReason === true) &&
    !(cancelsTask.test(piece) && (!isAsked || affirmed.test(piece)));
  const at = all.findLastIndex(isWithdrawal);
  const since = all.slice(Math.max(0, at));
  const said = since.flatMap(({ sentences }) => sentences);
  const refused = [...(isCorrection ? [wrong] : []), ...said.map((each) => each.refused)].join(' ');
  const isSaid = said.some((each) => each.clauses.length > 0 || /[\p{L}\p{N}]/u.test(each.said));
  const isRefused = said.some((each) => /\p{L}/u.test(each.refused)) || refusingSign.test(message);
  const isOrder = said.some((each) => each.clauses.some(({ words }) => imperative.test(words)));
  const asking = all.filter((each) => !isWithdrawal(each)).map(asks);
  return {
    meant: without(since.map(({ piece }) => piece).join(' '), refused),
    refused,
    declines:
      (isAsked && !isOrder && isJudgedBad(folded(message))) ||
      (!isSaid && (at !== -1 || isRefused) && !whyNot.test(folded(message))) ||
      remembersIt.test(folded(message)),
    onlyAsks: asking.length > 0 && asking.every(Boolean),
  };
}

/** The user calls what the agent asked about bad. In doubt the agent asks again. */
const isJudgedBad = (message: string): boolean =>
  !affirmed.test(message) &&
  !ofUser.test(message) &&
  judges.test(message) &&
  (!approves.test(message) || denies.test(message));

function asks({ piece, sentences }: { piece: string; sentences: readonly Sentence[] }): boolean {
  const clauses = sentences.flatMap((each) => each.clauses);
  const asksOnly = clauses.length > 0 && clauses.every((each) => each.isQuestion);
  const isQuestion = /[?؟？]$/u.test(piece) || (asksOnly && !sentences.some((each) => each.isOrdering));
  const isProposal = asksToChange.test(piece) && !asksToSee.test(piece) && !asksToKnow.test(piece);
  return isQuestion && !isProposal && !whyNot.test(piece);
}

/** The words of a text, each as often as it is not among the words left out. */
function without(text: string, leftOut: string): string {
  const left = new Map<string, number>();
  for (const word of allWordsOf(leftOut)) left.set(word, (left.get(word) ?? 0) + 1);
  return allWordsOf(text)
    .filter((word) => {
      const count = left.get(word) ?? 0;
      left.set(word, count - 1);
      return count <= 0;
    })
    .join(' ');
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
  /\b(delet|remov|eras|clear|complet|finish|mark|tick|close|chang|renam|mov|postpon|shift|reopen|losch|entfern|erledig|abhak|schlie|ander|verschieb|supprim|efface|enlev|termine|coche|repouss|borr|elimin|quit|marc|cancel|rimuov|complet|segn|spost)/u;

/** How other questions begin that ask for no change. */
const asksToKnow =
  /^(?:(?:and|und|et|y|so|but) )*(?:did|does|has|have|had|was|were|should|who|why|where|hast?|hat|haben|wurde|soll\p{L}*|wer|warum|wo|pourquoi|qui|ou|as tu|avez|est ce|dois|faut|quien|por ?que|donde|debo|has|ha|chi|perche|dove|devo|hai)\b/u;

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
 * Whether the user named a task: with at least half of its title's words, with a word for all tasks that it does not only ask to see, or by
 * answering the agent, which had asked about it. A question alone, what the user forbids, and “no” name none. Texts of titles and documents
 * do not count.
 */
export function isNamed(title: string, { person, agent }: { person: string; agent: string }): boolean {
  const isAsked = isAskedAbout(title, foldedLines(agent));
  const { meant, refused, declines, onlyAsks } = read(person, isAsked);
  if (declines || onlyAsks) return false;
  const message = folded(person);
  const words = wordsOf(title);
  const isIn = (text: string): boolean => words.length > 0 && isNamedIn(words, text);
  if (isIn(meant)) return true;
  if (isIn(refused)) return false;
  const meansEvery = everyTask.test(meant) && (!asksToSee.test(message) || asksToChange.test(message));
  return meansEvery || isAsked || (words.length === 0 && message.includes(folded(title)));
}

/** Whether a text has at least half of these words of a title. */
function isNamedIn(title: readonly string[], text: string): boolean {
  const spoken = wordsOf(text);
  const named = title.filter((word) =>
    spoken.some((each) => each.startsWith(word) || (each.length > 3 && word.startsWith(each))),
  );
  return named.length * 2 >= title.length;
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

/** Whether a short message means a task that was named before it, as in "delete it". */
export function pointsBack(title: string, { person, agent }: { person: string; agent: string }): boolean {
  const { declines, onlyAsks } = read(person, isAskedAbout(title, foldedLines(agent)));
  if (declines || onlyAsks) return false;
  const text = folded(person)
    .replaceAll(/[.,!?]+/gu, '')
    .trim();
  return text.split(' ').length <= maxWords && backReference.test(text);
}

const wordsOf = (text: string): string[] => allWordsOf(text).filter((word) => word.length > 2);

const allWordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Folded line by line. */
const foldedLines = (text: string): string => text.split('\n').map(folded).join('\n');

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
