import { fold } from '../page/fold.ts';

/** A field of the results, as `list_fields` describes it. */
export interface ListedField {
  path: string;
  type: string;
  values: string[];
}

type Intent = 'sum' | 'average' | 'count' | 'largest' | 'smallest' | 'latest' | 'oldest' | 'list';

/** What a question asks of the results. */
export interface ResultQuestion {
  intent: Intent;
  /** The field that is added up, compared or sorted by. */
  field: string | undefined;
  conditions: string[];
  /** Names that results must hold, in any of the fields with names. */
  names: string[];
  /** Words that neither the results nor the rules know: the question is about something else. */
  unknown: string[];
}

const intents: readonly (readonly [Intent, RegExp])[] = [
  ['average', /\b(?:average|mean|durchschnitt\w*|moyenne)\b/u],
  ['count', /\b(?:how many|number of|count|wie ?viele|anzahl|combien de|cuantas|cuantos)\b/u],
  ['latest', /\b(?:latest|newest|most recent|neueste\w*|letzte\w*|juengste\w*)\b/u],
  ['oldest', /\b(?:oldest|earliest|first|aelteste\w*|erste\w*)\b/u],
  [
    'largest',
    /\b(?:largest|highest|biggest|most expensive|maximum|groesste\w*|grosste\w*|hochste\w*|hoechste\w*|teuerste\w*)\b/u,
  ],
  ['smallest', /\b(?:smallest|lowest|cheapest|minimum|kleinste\w*|niedrigste\w*|guenstigste\w*)\b/u],
  [
    'sum',
    /\b(?:how much|sum|total|altogether|in all|spend|spent|paid|pay|wie ?viel|summe|insgesamt|gesamt\w*|bezahlt)\b/u,
  ],
  ['list', /\b(?:which|list|show|what|welche\w*|zeige?|nenne)\b/u],
];

const isDate = ({ values }: ListedField): boolean =>
  values.length > 0 && values.every((value) => /^\d{4}-\d{2}-\d{2}/u.test(value));
const isNumber = ({ type }: ListedField): boolean => type === 'number';
const isName = ({ path, type }: ListedField): boolean =>
  type === 'string' &&
  /name|supplier|vendor|customer|client|company|seller|buyer|party|number|lieferant|kunde|firma/iu.test(path);
/** Without accents, and with “ss” for “ß”. */
const plainText = (text: string): string => fold(text).replaceAll('ß', 'ss');
const wordsOf = (text: string): string[] => plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const stem = (word: string): string => word.replace(/(?:ies|en|es|er|s|e|n)$/u, '');

/** The fields by which results are named. */
export const nameFields = (fields: readonly ListedField[]): string[] => fields.filter(isName).map(({ path }) => path);

/** Words that say nothing of what is asked. */
const plain = new Set(
  (
    'the a an of in on at to from for with by and or is are was were be been do does did we our us i me my you it its this that these those there any all have has had what who when where how much many which list show give tell please ' +
    'over above under below more less than before after since until between least most exceed exceeds exceeding ' +
    'document documents invoice invoices bill bills receipt receipts contract contracts result results amount amounts value values supplier suppliers vendor paid pay spend spent owe charge charged billed issued total sum average number count altogether ' +
    'largest highest biggest smallest lowest cheapest latest newest recent oldest earliest first maximum minimum expensive mean currency ' +
    'der die das den dem des ein eine einen einer von vom in im an am zu zum zur fur mit bei und oder ist sind war waren haben hat wir uns welche welcher welches wie viel viele wieviel wieviele zeige liste alle es gibt ' +
    'uber unter mehr weniger als vor nach seit bis rechnung rechnungen dokument dokumente vertrag vertrage betrag betrage fallig fallige falligen lieferant summe insgesamt bezahlt durchschnitt anzahl grosste hochste kleinste niedrigste neueste letzte alteste ' +
    'january february march april may june july august september october november december januar februar marz mai juni juli oktober dezember quarter quartal eur usd gbp chf euro euros dollar dollars'
  ).split(' '),
);

const months = [
  'jan',
  'feb',
  'mar|maer|marz',
  'apr',
  'ma[iy]',
  'jun',
  'jul',
  'aug',
  'sep',
  'o[ck]t',
  'nov',
  'de[cz]',
].map((start) => new RegExp(`^(?:${start})`, 'u'));
const monthOf = (word: string): number => months.findIndex((pattern) => pattern.test(fold(word))) + 1;
const pad = (value: number): string => String(value).padStart(2, '0');

/** Reads a question with the fields of the results. */
export function readQuestion(request: string, fields: readonly ListedField[]): ResultQuestion {
  const folded = plainText(request);
  const intent = intents.find(([, pattern]) => pattern.test(folded))?.[0] ?? 'list';
  const names = namesIn(request);
  const dateField = chosen(fields.filter(isDate), folded, ['date', 'issued', 'datum']);
  const amountField = chosen(fields.filter(isNumber), folded, [
    'total',
    'gesamt',
    'gross',
    'brutto',
    'amount',
    'betrag',
    'summe',
  ]);
  const dates = dateField === undefined ? [] : dateConditions(request, dateField);
  const limits = amountField === undefined ? [] : limitsIn(request, amountField);
  const known = new Set(
    [...fields.flatMap(({ path }) => wordsOf(path.replaceAll('_', ' '))), ...names.flatMap(wordsOf)].map(stem),
  );
  const isKnown = (word: string) => plain.has(word) || known.has(stem(word)) || /\d/u.test(word) || word.length < 3;
  const withoutNames = names.reduce((rest, name) => rest.replaceAll(name, ' '), request);
  // A number that is no condition changes the question.
  const numbers = dates.length + limits.length === 0 ? (withoutNames.match(/\d[\d.,]*/gu) ?? []) : [];
  const isByDate = intent === 'latest' || intent === 'oldest';
  return {
    intent,
    field: isByDate ? dateField : amountField,
    conditions: [...dates, ...limits],
    names,
    unknown: [...wordsOf(request).filter((word) => !isKnown(word)), ...numbers],
  };
}

/** The field that the question names, else the usual one. */
function chosen(fields: readonly ListedField[], folded: string, usual: readonly string[]): string | undefined {
  const asked = new Set((folded.match(/\p{L}+/gu) ?? []).map(stem));
  const named = fields.find(({ path }) =>
    wordsOf(path.replaceAll('_', ' ')).some((word) => word !== 'total' && word !== 'date' && asked.has(stem(word))),
  );
  if (named) return named.path;
  // Whole words, the most usual first: `total` and not `subtotal` or `tax_amount`.
  for (const isUsual of [
    (path: string, word: string) => path === word,
    (path: string, word: string) => wordsOf(path.replaceAll('_', ' ')).includes(word),
  ]) {
    for (const word of usual) {
      const found = fields.find(({ path }) => isUsual(path, word));
      if (found) return found.path;
    }
  }
  return fields[0]?.path;
}

/** Names in quotation marks, and words with a capital letter inside of the sentence. */
function namesIn(request: string): string[] {
  const quoted = [...request.matchAll(/["“„«]([^"”“»]{2,80})["”“»]/gu)].map((match) => match[1]!.trim());
  if (quoted.length > 0) return quoted;
  const found = [...request.matchAll(/(?<=\s)\p{Lu}[\p{L}\p{N}&.'-]*(?:\s+(?:&\s+)?\p{Lu}[\p{L}\p{N}&.'-]*)*/gu)];
  return found
    .map((match) => match[0].replace(/(?:['’]s|[.,?!])$/u, ''))
    .filter((name) => wordsOf(name).some((word) => !plain.has(word) && monthOf(word) === 0));
}

function dateConditions(request: string, field: string): string[] {
  const day = /(\d{4})-(\d{2})-(\d{2})/u.exec(request)?.[0] ?? writtenDay(request);
  const folded = fold(request);
  if (day !== undefined) {
    if (/\b(?:before|until|vor|bis)\b/u.test(folded)) return [`${field}<${day}`];
    if (/\b(?:after|since|from|nach|seit|ab)\b/u.test(folded)) return [`${field}>${day}`];
    return [`${field}=${day}`];
  }
  const month = [...request.matchAll(/(\p{L}{3,10})\s+(\d{4})/gu)].find((match) => monthOf(match[1]!) > 0);
  const year = /(?<![\d.,])(20\d{2}|19\d{2})(?![\d.,]\d)/u.exec(request)?.[1];
  const quarter = /q([1-4])/u.exec(folded)?.[1];
  if (year === undefined) return [];
  const first = month ? monthOf(month[1]!) : quarter === undefined ? 1 : Number(quarter) * 3 - 2;
  const length = month ? 1 : quarter === undefined ? 12 : 3;
  const last = first + length;
  const end = last > 12 ? `${Number(year) + 1}-01-01` : `${year}-${pad(last)}-01`;
  const start = `${year}-${pad(first)}-01`;
  if (/\b(?:before|vor)\b/u.test(folded)) return [`${field}<${start}`];
  if (/\b(?:after|nach)\b/u.test(folded)) return [`${field}>=${end}`];
  return [`${field}>=${start}`, `${field}<${end}`];
}

function writtenDay(request: string): string | undefined {
  const match = /(\d{1,2})\.?\s+(\p{L}{3,10})\s+(\d{4})/u.exec(request);
  const month = match === null ? 0 : monthOf(match[2]!);
  return month === 0 ? undefined : `${match![3]}-${pad(month)}-${pad(Number(match![1]))}`;
}

function limitsIn(request: string, field: string): string[] {
  const match =
    /(?<![\p{L}\p{N}])(over|above|more than|exceed(?:s|ing)?|at least|under|below|less than|at most|über|mehr als|mindestens|unter|weniger als|höchstens)\s+(?:[A-Z]{3}|[€$£])?\s*(\d[\d.,]*)/iu.exec(
      request,
    );
  if (match === null) return [];
  const number = match[2]!
    .replace(/[.,](?=\d{3}(?:\D|$))/gu, '')
    .replace(',', '.')
    .replace(/[.,]$/u, '');
  const word = match[1]!.toLowerCase();
  const isLeast = word === 'at least' || word === 'mindestens';
  const isMost = word === 'at most' || word === 'höchstens';
  const isBelow = /^(?:under|below|less|unter|weniger)/u.test(word);
  return [`${field}${isLeast ? '>=' : isMost ? '<=' : isBelow ? '<' : '>'}${number}`];
}
