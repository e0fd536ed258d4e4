import { show } from '../bson/show.ts';
import { isDocument, isTruthy, type BsonValue } from '../bson/value.ts';
import { badValue, failedToParse, notImplemented } from '../errors.ts';

/** What MongoDB leaves out of a search in English. */
const englishStopWords = new Set(
  `a about above after again against all am an and any are as at be because been before being below between both but by
  could did do does doing down during each few for from further had has have having he her here hers herself him himself
  his how i if in into is it its itself just me more most my myself no nor not now of off on once only or other our ours
  ourselves out over own same she should so some such than that the their theirs them themselves then there these they
  this those through to too under until up very was we were what when where which while who whom why will with would you
  your yours yourself yourselves`.split(/\s+/),
);

const separators = /[^\p{L}\p{M}\p{N}\p{Co}]+/u;

/**
 * The FTS5 expression of a `$text` operator: words are alternatives, every "phrase" must be there, nothing with a
 * leading minus may. Undefined where nothing is left to look for. Throws MongoDB's errors for what it does not take.
 */
export function textExpression(operator: BsonValue, indexLanguage: BsonValue | undefined): string | undefined {
  if (!isDocument(operator)) throw badValue('$text expects an object');
  for (const [name, value] of operator) {
    if (!['$search', '$language', '$caseSensitive', '$diacriticSensitive'].includes(name)) {
      throw badValue(`extra fields in $text: ${name}`);
    }
    if (name.endsWith('Sensitive') && isTruthy(value)) throw notImplemented(`${name} is not supported by this server`);
  }
  const search = operator.get('$search');
  if (typeof search !== 'string') throw failedToParse(`"$search" had the wrong type. Expected string: ${show(search)}`);
  return expressionOf(search, (operator.get('$language') ?? indexLanguage) === 'none' ? new Set() : englishStopWords);
}

function expressionOf(search: string, stopWords: ReadonlySet<string>): string | undefined {
  const words = new Set<string>();
  const phrases = new Set<string>();
  const unwanted = new Set<string>();
  for (const [, minus, quoted, plain] of search.matchAll(/(?<![^\s"])(-?)(?:"([^"]*)"|([^\s"]+))/gu)) {
    const parts = (quoted ?? plain ?? '').split(separators).filter((part) => part !== '');
    if (parts.length === 0) continue;
    const phrase = `"${parts.join(' ')}"`;
    if (minus) unwanted.add(phrase);
    else if (quoted !== undefined) phrases.add(phrase);
    if (!minus) for (const part of parts) if (!stopWords.has(part.toLowerCase())) words.add(`"${part}"`);
  }
  const wanted = [...phrases, ...(words.size > 0 ? [`(${[...words].join(' OR ')})`] : [])];
  if (wanted.length === 0) return undefined;
  const found = wanted.join(' AND ');
  return unwanted.size > 0 ? `(${found}) NOT (${[...unwanted].join(' OR ')})` : found;
}
