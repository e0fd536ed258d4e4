import { asianNumber } from './asian-numbers.ts';

/** A number as a list shows it, in the format that Office or a browser names. */
export function numberText(value: number, format: string): string {
  switch (format) {
    case 'none':
    case 'bullet':
      return '';
    case 'lowerLetter':
    case 'lower-alpha':
    case 'lower-latin':
    case 'a':
      return letters(value, format === 'lowerLetter');
    case 'upperLetter':
    case 'upper-alpha':
    case 'upper-latin':
    case 'A':
      return letters(value, format === 'upperLetter').toUpperCase();
    case 'lowerRoman':
    case 'lower-roman':
    case 'i':
      return roman(value);
    case 'upperRoman':
    case 'upper-roman':
    case 'I':
      return roman(value).toUpperCase();
    case 'decimalZero':
    case 'decimal-leading-zero':
      return String(value).padStart(2, '0');
    case 'ordinal':
      return `${value}${ordinalEnding(value)}`;
    case 'cardinalText':
      return capital(cardinal(value));
    case 'ordinalText':
      return capital(ordinalWord(value));
    case 'hex':
      return value.toString(16).toUpperCase();
    case 'numberInDash':
      return `- ${value} -`;
    case 'decimalEnclosedParen':
      return `(${value})`;
    case 'decimalEnclosedFullstop':
      return `${value}.`;
    case 'decimalEnclosedCircle':
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x2460 + value - 1) : String(value);
    case 'russianLower':
      return nthLetter(value, 'абвгдежзиклмнопрстуфхцчшщэюя');
    case 'russianUpper':
      return nthLetter(value, 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ');
    case 'lower-greek':
      return nthLetter(value, 'αβγδεζηθικλμνξοπρστυφχψω');
    default:
      // Word names a format with more zeros by its first number.
      return /^0+1$/u.test(format)
        ? String(value).padStart(format.length, '0')
        : (asianNumber(value, format) ?? String(value));
  }
}

/** Word repeats a letter (z, aa, bb); browsers count on (z, aa, ab). */
function letters(value: number, repeats: boolean): string {
  if (value < 1) return String(value);
  if (repeats) return nthLetter(value, 'abcdefghijklmnopqrstuvwxyz');
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  }
  return text;
}

function nthLetter(value: number, alphabet: string): string {
  if (value < 1 || value > alphabet.length * 30) return String(value);
  return alphabet[(value - 1) % alphabet.length]!.repeat(Math.floor((value - 1) / alphabet.length) + 1);
}

const romanSigns: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  let rest = value;
  let text = '';
  for (const [amount, sign] of romanSigns) {
    for (; rest >= amount; rest -= amount) text += sign;
  }
  return text;
}

function ordinalEnding(value: number): string {
  const tens = Math.abs(value) % 100;
  if (tens >= 11 && tens <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][Math.abs(value) % 10] ?? 'th';
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tensWords = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const irregularOrdinals: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

function cardinal(value: number): string {
  if (value < 0 || value > 999) return String(value);
  if (value < 20) return small[value]!;
  if (value < 100) return tensWords[Math.floor(value / 10) - 2]! + (value % 10 === 0 ? '' : `-${small[value % 10]}`);
  return `${small[Math.floor(value / 100)]} hundred${value % 100 === 0 ? '' : ` ${cardinal(value % 100)}`}`;
}

function ordinalWord(value: number): string {
  const words = cardinal(value);
  if (/\d/.test(words)) return `${value}${ordinalEnding(value)}`;
  return words.replace(/[a-z]+$/, (last) => irregularOrdinals[last] ?? `${last.replace(/y$/, 'ie')}th`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
