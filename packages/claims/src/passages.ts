import { isStopWord, languageOfCode, stemOf, wordsOf, type TextLanguage } from '@docwright/language';
import { createLanguageDetector } from '@docwright/language/detect';
import { fold } from './fold.ts';
import { contradicts, denies, foldedWords } from './opposites.ts';
import { splitSentences } from './split-sentences.ts';

const codes = ['da', 'nl', 'en', 'fi', 'fr', 'de', 'hu', 'it', 'no', 'pt', 'ro', 'ru', 'es', 'sv', 'tr'];
const detect = createLanguageDetector(codes);
const languages = codes.flatMap((code) => languageOfCode(code) ?? []);

/** The language of a text; of a short one, the language with most of its stop words. */
export function languageOf(text: string, otherwise: TextLanguage | undefined): TextLanguage {
  const code = detect(text);
  const detected = code === undefined ? undefined : languageOfCode(code);
  if (detected !== undefined) return detected;
  const words = [...wordsOf(text)].map((word) => word.text);
  const count = (language: TextLanguage) => words.filter((word) => isStopWord(word, language)).length;
  const [best] = languages
    .map((language) => ({ language, count: count(language) + (language === otherwise ? 0.5 : 0) }))
    .toSorted((one, other) => other.count - one.count);
  return best === undefined || best.count < 1 ? (otherwise ?? 'english') : best.language;
}

/** `denial` is a word like “excluded”, which says what a “not” with another word says. */
type NegationKind = 'not' | 'without' | 'denial';
const not =
  "not no never none nobody nothing neither nor cannot don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't shouldn't mustn't hasn't haven't wouldn't needn't nicht kein keine keinen keinem keiner keines keinerlei nie niemals niemand nichts weder pas jamais aucun aucune ni rien non nein guere nunca jamas ningun ninguna ninguno ninguna tampoco nadie nada niet geen nooit niemand nessun nessuna nessuno mai nao nenhum nenhuma inte aldrig ingen ikke aldri";
const without = 'without ohne sans sin zonder senza sem utan uden uten';
const negations = new Map<string, NegationKind>([
  ...not.split(' ').map((word) => [word, 'not'] as const),
  ...without.split(' ').map((word) => [word, 'without'] as const),
]);
// In Portuguese and Italian “no” and “non” differ from the Spanish one; “nor” and “ni” join.
const ambiguous: Partial<Record<TextLanguage, readonly string[]>> = {
  portuguese: ['no', 'ni', 'non', 'nor', 'mai', 'sin'],
  german: ['no', 'mai', 'sin', 'non', 'ni', 'sem'],
  french: ['no', 'mai', 'nor', 'sin', 'sem'],
  italian: ['no', 'ni', 'pas', 'sin', 'nor', 'sem'],
  english: ['ni', 'mai', 'sin', 'pas', 'sans', 'nada', 'sem', 'nie', 'non', 'ten'],
  spanish: ['pas', 'mai', 'sem', 'non', 'nie', 'nor'],
};

/** Words that answer a question at the start of a sentence. */
const answers = new Set('no nein non nee nej nei nao'.split(' '));

/** Whether a sentence has a negation. */
export const negates = (sentence: string, otherwise: TextLanguage | undefined): boolean =>
  tokensOf(sentence, languageOf(sentence, otherwise)).some(({ negation }) => negation && negation !== 'denial');

/** Words by which an answer names its source; no passage contains them. */
const frame = new Set(
  (
    'document documents contract contracts agreement agreements according states state says say provides provide clause section party parties mentions specifies stipulates text page passage ' +
    'dokument vertrag vertrage vertrags laut gemass besagt steht regelt klausel vereinbarung seite partei parteien ' +
    'contrat contrats accord selon stipule prevoit precise clause page partie parties document ' +
    'contrato contratos acuerdo segun establece estipula dispone clausula pagina parte partes documento'
  ).split(' '),
);

interface Token {
  stem: string;
  folded: string;
  isContent: boolean;
  negation?: NegationKind | undefined;
  isCondition: boolean;
  clause: number;
}

function tokensOf(text: string, language: TextLanguage): Token[] {
  const tokens: Token[] = [];
  let clause = 0;
  let end = 0;
  const words = [...wordsOf(text.replaceAll(/[’']/gu, "'"))];
  for (const [at, word] of words.entries()) {
    if (/[,;:()–—]/u.test(text.slice(end, word.start))) clause++;
    end = word.end;
    const folded = fold(word.text);
    const next = words[at + 1];
    // “doesn't” is two words for the reader of words.
    const contracted = next?.text === 't' && text[word.end] !== ' ' && /n$/iu.test(word.text);
    const isOther = ambiguous[language]?.includes(folded) ?? false;
    // “No, it is allowed” answers a question; its statement has no negation.
    const isAnswer =
      at === 0 && next !== undefined && answers.has(folded) && /^\s*[,:;.–—-]/u.test(text.slice(word.end));
    // “It fails to renew” is “it does not renew”.
    const isFailing = /^fail(?:s|ed|ing)?$/u.test(folded) && next?.text === 'to';
    const isDenial = denies(folded) ? 'denial' : undefined;
    const negation =
      contracted || isFailing ? 'not' : isOther || isAnswer ? isDenial : (negations.get(folded) ?? isDenial);
    const isContent =
      (negation === undefined || negation === 'denial') &&
      !contracted &&
      (folded.length > 2 || word.isCharacter) &&
      !/\d/u.test(folded) &&
      !isStopWord(word.text, language) &&
      !frame.has(folded);
    tokens.push({
      stem: stemOf(word.text, language),
      folded,
      isContent,
      negation,
      clause,
      isCondition: conditional.has(folded),
    });
  }
  return tokens;
}

const contentStems = (tokens: readonly Token[]): Set<string> =>
  new Set(tokens.filter(({ isContent }) => isContent).map(({ stem }) => stem));

/** Whether a stem is among others; a compound counts if one holds the other. */
const isAmong = (stem: string, others: ReadonlySet<string>): boolean =>
  others.has(stem) ||
  (stem.length >= 5 &&
    [...others].some((other) => other.length >= 5 && (other.includes(stem) || stem.includes(other))));

/** Share of the stems that are among the others. */
const shareIn = (stems: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  stems.size === 0 ? 1 : [...stems].filter((stem) => isAmong(stem, others)).length / stems.size;

/** A negation with the content words around it: those that follow, and those before it in its clause. */
function negationsOf(tokens: readonly Token[]): { kind: NegationKind; scope: Set<string>; isConditional: boolean }[] {
  return tokens.flatMap(({ negation: kind, clause }, at) => {
    if (kind === undefined) return [];
    const content = (each: Token) => each.isContent;
    const behind = tokens
      .slice(at + 1)
      .filter(content)
      .slice(0, 3);
    const before = tokens.slice(0, at).filter((each) => content(each) && each.clause === clause);
    const scope = kind === 'without' ? behind.slice(0, 2) : [...behind, ...before.slice(-2)];
    const isConditional = tokens.some((each) => each.clause === clause && each.isCondition);
    return [{ kind, isConditional, scope: new Set(scope.map(({ stem }) => stem)) }];
  });
}

/** Words that make the rest of their clause a condition. */
const conditional = new Set('if wenn falls sofern soweit si sauf unless salvo indien'.split(' '));
const minShare = 0.6;

/**
 * Whether passages contain the words of a sentence and its negations. Returns why not.
 *
 * @param sentence The sentence without citation marks and names.
 * @param isQuote Whether the words themselves were checked as a quotation.
 */
export function problemWithPassages(
  sentence: string,
  passages: readonly string[],
  otherwise: TextLanguage | undefined,
  isQuote: boolean,
): string | undefined {
  const language = languageOf(sentence, otherwise);
  const tokens = tokensOf(sentence, language);
  const stems = contentStems(tokens);
  const sentences: Token[][] = passages.flatMap((passage) => {
    const joined = passage.replaceAll(/\s+/gu, ' ');
    return splitSentences(joined).map(({ from, to }) => tokensOf(joined.slice(from, to), language));
  });
  const all = new Set(sentences.flatMap((each) => [...contentStems(each)]));
  const share = shareIn(stems, all);
  if (!isQuote && share < minShare) {
    return 'Too few of its words stand in the cited passage.';
  }
  const sources = sourcesOf(stems, sentences);
  if (sources.length === 0) return undefined;
  const negated = sources.filter((each) => hasSameNegations(tokens, each, stems));
  if (negated.length === 0) {
    return 'The cited passage negates this differently: “not”, “no” or “without” is in one and not in the other.';
  }
  const own = foldedWords(sentence);
  if (negated.some((each) => !contradicts(own, new Set(each.map(({ folded }) => folded))))) return undefined;
  return 'The cited passage says the opposite with one of its words, such as “before” and “after”.';
}

/** So many choices of sentences are compared, where several fit equally. */
const maxSources = 12;

/**
 * The sentences that a statement comes from: the one with most of its words, then those with most of the words that are
 * left. “Subletting is allowed in unit 5 in Gdansk” comes from the title, which names the unit, and from the rule.
 */
function sourcesOf(stems: ReadonlySet<string>, sentences: readonly (readonly Token[])[]): Token[][] {
  const held = sentences.map((tokens) => ({ tokens, own: contentStems(tokens) }));
  const sources: Token[][] = [];
  const choose = (left: ReadonlySet<string>, chosen: readonly Token[]): void => {
    const counted = held.map(({ tokens, own }) => ({ tokens, rest: [...left].filter((stem) => !isAmong(stem, own)) }));
    const fewest = Math.min(left.size, ...counted.map(({ rest }) => rest.length));
    if (fewest === left.size) {
      if (chosen.length > 0) sources.push([...chosen]);
      return;
    }
    for (const { tokens, rest } of counted) {
      if (rest.length === fewest && sources.length < maxSources) choose(new Set(rest), [...chosen, ...tokens]);
    }
  };
  choose(stems, []);
  return sources;
}

const lacks = (negations: readonly { kind: NegationKind }[], kind: NegationKind): boolean =>
  negations.every((each) => each.kind !== kind);

function hasSameNegations(sentence: readonly Token[], source: readonly Token[], stems: ReadonlySet<string>): boolean {
  const [stated, given] = [negationsOf(sentence), negationsOf(source)];
  // “If it is not terminated” says nothing of how it is terminated.
  const isConditional = sentence.some(({ isCondition }) => isCondition);
  const meets = (one: ReadonlySet<string>, other: ReadonlySet<string>) => shareIn(one, other) > 0 && one.size > 0;
  const alike = (one: NegationKind, others: typeof stated, other: NegationKind, own: typeof stated) => {
    if (one === other) return true;
    // “Excluded” stands for “not covered”; “not excluded” does not.
    const pair = new Set([one, other]);
    return pair.has('not') && pair.has('denial') && lacks(own, other) && lacks(others, one);
  };
  const matches = (negation: { kind: NegationKind; scope: Set<string> }, others: typeof stated, own: typeof stated) =>
    others.some(
      ({ kind, scope }) =>
        alike(negation.kind, others, kind, own) && (meets(negation.scope, scope) || negation.scope.size === 0),
    );
  return (
    stated.every((negation) => matches(negation, given, stated)) &&
    given.every(
      (negation) =>
        !meets(negation.scope, stems) || (negation.isConditional && !isConditional) || matches(negation, stated, given),
    )
  );
}

/** The quotations of a sentence. */
export function quotesOf(sentence: string): { start: number; end: number; text: string }[] {
  const pattern = /“([^”]+)”|„([^“”]+)[“”]|«\s*([^»]+?)\s*»|»([^«]+)«|"([^"]+)"|‘([^’]{8,})’/gu;
  return [...sentence.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match.slice(1).find((each) => each !== undefined) ?? '',
  }));
}

const forQuote = (text: string): string =>
  fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a text contains a quotation, apart from case, spaces and signs. An ellipsis stands for what was left out. */
export function standsIn(quote: string, texts: readonly string[]): boolean {
  const parts = quote
    .split(/\[?(?:…|\.\.\.)\]?/u)
    .map(forQuote)
    .filter((part) => part !== '');
  return texts.some((text) => {
    const folded = ` ${forQuote(text)} `;
    let at = 0;
    return parts.every((part) => {
      const found = folded.indexOf(` ${part} `, at);
      at = found + part.length;
      return found !== -1;
    });
  });
}
