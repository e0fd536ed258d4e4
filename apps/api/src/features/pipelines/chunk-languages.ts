import { languageOfCode, type TextLanguage } from '@docwright/language';
import { createLanguageDetector } from '@docwright/language/detect';

/** For documents without any detected language. */
export const defaultLanguage: TextLanguage = 'english';
/**
 * The minimum share of a language among the detected ones; fewer are detection errors, as in tables and lists of names.
 */
const minShare = 0.2;

const detect = createLanguageDetector();

/**
 * The index language of each chunk of a document. Undetected chunks get the most frequent language; `none` is a
 * language that text indexes do not know. `yieldToEventLoop` is awaited after each chunk.
 */
export async function languagesOfChunks(
  texts: readonly string[],
  yieldToEventLoop: () => Promise<void>,
): Promise<TextLanguage[]> {
  const detected: (TextLanguage | undefined)[] = [];
  for (const text of texts) {
    const code = detect(text);
    detected.push(code === undefined ? undefined : (languageOfCode(code) ?? 'none'));
    await yieldToEventLoop();
  }
  const counts = new Map<TextLanguage, number>();
  for (const language of detected) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [[mainLanguage, maxCount] = [defaultLanguage, 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
  const minCount = [...counts.values()].reduce((sum, count) => sum + count, 0) * minShare;
  return detected.map((language) =>
    language && maxCount > 0 && (counts.get(language) ?? 0) >= minCount ? language : mainLanguage,
  );
}
