import { languageOfCode, type TextLanguage } from '@docwright/language';
import { createLanguageDetector } from '@docwright/language/detect';

/** Of a document none of whose chunks tells its language. */
export const usualLanguage: TextLanguage = 'english';
/** Of the chunks that tell: what fewer are in is taken for a mistake, as tables and lists of names invite it. */
const leastShare = 0.2;

const detect = createLanguageDetector();

/**
 * The language that each chunk of a document is indexed in. A chunk that does not tell is in the one that most are in; `none`
 * is a language that text indexes do not know. `breathe` is awaited after each.
 */
export async function languagesOfChunks(
  texts: readonly string[],
  breathe: () => Promise<void>,
): Promise<TextLanguage[]> {
  const told: (TextLanguage | undefined)[] = [];
  for (const text of texts) {
    const code = detect(text);
    told.push(code === undefined ? undefined : (languageOfCode(code) ?? 'none'));
    await breathe();
  }
  const counts = new Map<TextLanguage, number>();
  for (const language of told) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [[main, most] = [usualLanguage, 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
  const least = [...counts.values()].reduce((sum, count) => sum + count, 0) * leastShare;
  return told.map((language) => (language && most > 0 && (counts.get(language) ?? 0) >= least ? language : main));
}
