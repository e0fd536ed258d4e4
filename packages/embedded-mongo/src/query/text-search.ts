import { languageNamed, readSearch, type TextLanguage } from '@docwright/language';
import { show } from '../bson/show.ts';
import { isDocument, isTruthy, type BsonValue } from '../bson/value.ts';
import { badValue, failedToParse, locationError, notImplemented } from '../errors.ts';

/**
 * The FTS5 expression of a `$text` operator: words are alternatives, every "phrase" is required, a leading minus
 * excludes. Undefined when no term remains. Throws MongoDB's errors for unsupported options.
 */
export function textExpression(operator: BsonValue, indexLanguage: TextLanguage): string | undefined {
  if (!isDocument(operator)) throw badValue('$text expects an object');
  for (const [name, value] of operator) {
    if (!['$search', '$language', '$caseSensitive', '$diacriticSensitive'].includes(name)) {
      throw badValue(`extra fields in $text: ${name}`);
    }
    if (name.endsWith('Sensitive') && isTruthy(value)) throw notImplemented(`${name} is not supported by this server`);
  }
  const search = operator.get('$search');
  if (typeof search !== 'string') throw failedToParse(`"$search" had the wrong type. Expected string: ${show(search)}`);
  return expressionOf(search, languageOf(operator.get('$language'), indexLanguage));
}

function languageOf(asked: BsonValue | undefined, indexLanguage: TextLanguage): TextLanguage {
  if (asked === undefined) return indexLanguage;
  if (typeof asked !== 'string') {
    throw failedToParse(`"$language" had the wrong type. Expected string: ${show(asked)}`);
  }
  const language = languageNamed(asked);
  if (language) return language;
  throw locationError(17_007, `unsupported language: "${asked}" for text index version 3`);
}

function expressionOf(search: string, language: TextLanguage): string | undefined {
  const parts = readSearch(search, language);
  const of = (wanted: string) => parts.flatMap(({ kind, stems }) => (kind === wanted ? [`"${stems.join(' ')}"`] : []));
  const words = of('word');
  const wanted = [...of('phrase'), ...(words.length > 0 ? [`(${words.join(' OR ')})`] : [])];
  if (wanted.length === 0) return undefined;
  const found = wanted.join(' AND ');
  const unwanted = of('unwanted');
  return unwanted.length > 0 ? `(${found}) NOT (${unwanted.join(' OR ')})` : found;
}
