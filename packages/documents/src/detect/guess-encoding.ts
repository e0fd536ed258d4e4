import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { eastAsianEncodings, eastAsianPlausibility } from './east-asian-text.ts';

/** The letters beyond ASCII of languages, by the encodings in which their texts are written. */
const letters: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': ['äöüß', 'åäöæøé', 'áðéíóúýþæö', 'áéíóúñü', 'àâçéèêëîïôùûœæ', 'àèéìòù', 'áâãàçéêíóôõúü', 'éëïöü'],
  'windows-1250': ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'ăâîșşțţ', 'čćđšž'],
  'iso-8859-2': ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž'],
  'windows-1257': ['āčēģīķļņšūž', 'ąčęėįšųūž', 'äöõüšž'],
  'windows-1254': ['çğıöşüâî'],
  'windows-1251': ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя', 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'],
  'koi8-r': ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя'],
  cp866: ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя'],
  'windows-1253': ['αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ'],
  'windows-1255': ['אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
  'windows-1256': ['ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئپچژگ'],
};
const languages = Object.entries(letters).flatMap(([name, lists]) =>
  lists.map((list) => ({ name, usual: new Set(list) })),
);
const cyrillicVowels = new Set('аеёиоуыэюяіїє');
/** Fewer of the letters of a text are vowels in no language of Cyrillic script. */
const minVowels = 0.25;
/** Signs that stand between or beside words in any language. */
const usualSigns = /[€£¥§©®™°·•–—…„“”‚‘’«»‹›№ºª²³½¼¾×÷±µ¿¡\u00a0]/u;
/** A guess of the library is right above this confidence. */
const sure = 80;
const bonus = 0.1;
const maxTelling = 4 * 1024;
/** What decides between readings that are equally usual. */
const prior: Readonly<Record<string, number>> = { 'windows-1252': 0.3, 'windows-1255': 0.1, 'windows-1256': 0.1 };

/** The likeliest encoding of bytes that are no Unicode; Windows' Latin one where nothing says another. */
export function guessEncoding(sample: Uint8Array): string {
  const guesses = analyse(sample);
  const [first] = guesses;
  const telling = tellingLines(sample);
  const isSure =
    first !== undefined &&
    first.confidence >= sure &&
    iconv.encodingExists(first.name) &&
    // It is sure of the wrong one for a few words.
    !eastAsianEncodings.includes(first.name.toLowerCase());
  // The last sign can be cut.
  if (isSure && !iconv.decode(telling, first.name).slice(0, -1).includes('\ufffd')) return first.name;
  const confidence = new Map(guesses.map((guess) => [guess.name.toLowerCase(), guess.confidence / 100]));
  let best = { name: 'windows-1252', score: -Infinity };
  const texts = new Map<string, string>();
  const consider = (name: string, plausible: (text: string) => number): void => {
    const text = texts.get(name) ?? iconv.decode(telling, name);
    texts.set(name, text);
    const score = plausible(text) + bonus * (confidence.get(name) ?? 0) + (prior[name] ?? 0);
    if (score > best.score + 1e-9) best = { name, score };
  };
  for (const { name, usual } of languages) consider(name, (text) => plausibility(text, usual));
  // Only what Windows added to the Korean encoding has other bytes.
  const hasOthers = sample.some((byte) => byte >= 0x80 && byte <= 0xa0);
  for (const name of eastAsianEncodings)
    if (name !== 'euc-kr' || !hasOthers) consider(name, (text) => eastAsianPlausibility(text, name));
  return best.name;
}

/** The first lines with signs beyond ASCII. */
function tellingLines(sample: Uint8Array): Buffer {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.length);
  const lines: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < maxTelling;) {
    const end = bytes.indexOf(0x0a, at);
    const line = bytes.subarray(at, end === -1 ? bytes.length : end + 1);
    at += line.length;
    if (!line.some((byte) => byte >= 0x80)) continue;
    lines.push(line);
    size += line.length;
  }
  return Buffer.concat(lines).subarray(0, maxTelling);
}

/** How usual the signs beyond ASCII are in their places: 1 if all of them are, and less for each that is not. */
function plausibility(text: string, usual: ReadonlySet<string>): number {
  let score = 0;
  let count = 0;
  let before = '';
  // The last sign can be cut.
  for (const sign of text.slice(0, -1)) {
    if (sign >= '\u0080') {
      count += 1;
      score += worth(sign, before, usual);
    } else if (/[a-z]/iu.test(sign) && /[^\p{Script=Latin}\P{L}]/u.test(before) && before >= '\u0080') score -= 1;
    before = sign;
  }
  const cyrillic = usual.has('д') ? (text.toLowerCase().match(/\p{Script=Cyrillic}/gu) ?? []) : [];
  const vowels = cyrillic.filter((sign) => cyrillicVowels.has(sign)).length;
  return (count === 0 ? 0 : score / count) - (vowels < cyrillic.length * minVowels ? 1 : 0);
}

function worth(sign: string, before: string, usual: ReadonlySet<string>): number {
  if (sign === '\ufffd' || /[\p{C}\ue000-\uf8ff]/u.test(sign)) return -5;
  const isCapital = sign !== sign.toLowerCase();
  // A capital within a word of small letters, or letters of two scripts in one.
  if (isCapital && /\p{Ll}/u.test(before)) return -1;
  if (usual.has(sign.toLowerCase())) {
    const isLatin = /\p{Script=Latin}/u.test(sign);
    return /\p{L}/u.test(before) && /\p{Script=Latin}/u.test(before) !== isLatin ? -1 : 1;
  }
  if (/\p{L}/u.test(sign)) return -0.3;
  if (!usualSigns.test(sign)) return -1;
  return /\p{L}/u.test(before) ? 0 : 0.8;
}
