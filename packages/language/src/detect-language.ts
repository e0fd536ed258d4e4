import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Detection from 'eld/extrasmall';

const require = createRequire(import.meta.url);

/** Fewer letters than this do not determine a language. One letter of a script without spaces counts as three. */
const fewestLetters = 40;
/** Length of the analysed part of a text in UTF-16 units; the detector reads no more words than this contains. */
const maxRead = 2000;

/**
 * Creates a detector of languages, by their ISO 639-1 codes: all 60 known ones, or only the given ones. The result is
 * undefined when the text does not determine a language. Numbers, words with digits and the later part of a long text
 * are ignored. The language data is loaded with the first text, because loading takes a tenth of a server's start.
 */
export function createLanguageDetector(among?: readonly string[]): (text: string) => string | undefined {
  let detector: typeof Detection.eld | undefined;
  return (text) => {
    const words = text.slice(0, maxRead).match(/(?<!\S)[^\s\p{N}]+(?!\S)/gu) ?? [];
    const letters = words.join(' ');
    const simple = letters.replaceAll(/\P{L}/gu, '').length;
    const dense = letters.replaceAll(/[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/gu, '').length;
    if (simple + 2 * dense < fewestLetters) return undefined;
    detector ??= loadDetector(among);
    const found = detector.detect(letters);
    return found.isReliable() ? found.language : undefined;
  };
}

function loadDetector(among: readonly string[] | undefined): typeof Detection.eld {
  const { eld }: typeof Detection = require(fileURLToPath(import.meta.resolve('eld/extrasmall')));
  if (among === undefined) return eld;
  const detector = eld.newInstance();
  detector.setLanguageSubset([...among]);
  return detector;
}
