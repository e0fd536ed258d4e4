import iconv from 'iconv-lite';

/**
 * The first and last lead byte of the Chinese characters that are used most, by encodings with letters of two bytes: the standards of
 * China, Taiwan and Japan have them before the others. Korean texts have few.
 */
const leadsOfUsual: Readonly<Record<string, readonly [number, number]>> = {
  shift_jis: [0x88, 0x97],
  'euc-jp': [0xb0, 0xce],
  gb18030: [0xb0, 0xd7],
  big5: [0xa4, 0xc6],
  'euc-kr': [1, 0],
};
export const eastAsianEncodings: readonly string[] = Object.keys(leadsOfUsual);

const usualOf = new Map<string, ReadonlySet<string>>();
/** Its dictionary has the words of Chinese and Japanese. */
const words = new Intl.Segmenter('ja', { granularity: 'word' });

const han = /^\p{Script=Han}$/u;
const hangul = /^\p{Script=Hangul}$/u;
const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
const usualSigns = /^[、。，：；「」『』【】《》・·…—（）％￥￦※○●→]$/u;

/**
 * How usual the signs beyond ASCII of a text are, as `plausibility` says it of other scripts: about 1 for a text that was decoded in its
 * encoding.
 */
export function eastAsianPlausibility(text: string, encoding: string): number {
  const usual = usualOf.get(encoding) ?? usualCharacters(encoding);
  usualOf.set(encoding, usual);
  let [score, count, before] = [0, 0, ''];
  for (const { segment } of words.segment(text)) {
    const signs = Array.from(segment);
    const isWord = signs.length > 1 && signs.every((sign) => han.test(sign));
    for (const sign of signs) {
      if (sign >= '\u0080') {
        count += 1;
        score += worth(sign, before, usual) + (isWord ? 0.3 : 0);
      } else if (/[a-z]/iu.test(sign) && /[^\p{Script=Latin}\P{L}]/u.test(before)) score -= 0.5;
      before = sign;
    }
  }
  return count === 0 ? 0 : score / count;
}

function worth(sign: string, before: string, usual: ReadonlySet<string>): number {
  if (sign === '\ufffd' || /[\p{C}\ue000-\uf8ff]/u.test(sign)) return -5;
  if (/[\uff61-\uff9f]/u.test(sign)) return 0;
  if (kana.test(sign)) return 1.1;
  if (hangul.test(sign)) return han.test(before) ? -1 : worthOfSyllable(sign);
  if (han.test(sign)) return hangul.test(before) ? -1 : usual.has(sign) ? 0.8 : 0.2;
  return usualSigns.test(sign) || /[\uff01-\uff5e\u3000]/u.test(sign) ? 0.5 : -1;
}

const firstSyllable = 0xac00;
/** Numbers of initials, vowels and finals that few Korean syllables have: ㄲ ㄸ ㅃ ㅆ ㅉ, ㅒ ㅖ ㅙ ㅞ ㅢ, finals of two letters and ㄷ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ. */
const rareInitials = new Set([1, 4, 8, 10, 13]);
const rareVowels = new Set([3, 7, 10, 15, 19]);
const usualFinals = new Set([0, 1, 4, 8, 16, 17, 19, 20, 21]);

function worthOfSyllable(sign: string): number {
  const number = sign.codePointAt(0)! - firstSyllable;
  const [initial, vowel, final] = [Math.floor(number / 588), Math.floor((number % 588) / 28), number % 28];
  const rare = Number(rareInitials.has(initial)) + Number(rareVowels.has(vowel)) + Number(!usualFinals.has(final));
  return 1.15 - rare;
}

/** The Chinese characters that texts of an encoding use most. */
function usualCharacters(encoding: string): ReadonlySet<string> {
  const [first, last] = leadsOfUsual[encoding]!;
  const pairs: number[] = [];
  for (let lead = first; lead <= last; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) if (trail !== 0x7f) pairs.push(lead, trail);
  return new Set(iconv.decode(Buffer.from(pairs), encoding).match(/\p{Script=Han}/gu));
}
