/** Alphabets by which lists count. */
const alphabets: Readonly<Record<string, string>> = {
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  aiueo: 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  iroha: 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン',
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ideographZodiac: '子丑寅卯辰巳午未申酉戌亥',
  hebrew2: 'אבגדהוזחטיכלמנסעפצקרשת',
  arabicAlpha: 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي',
  arabicAbjad: 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ',
  thaiLetters: 'กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ',
};

/** After the end of these, numbers are written in digits; other alphabets begin again. */
const endingAlphabets = new Set(['ideographTraditional', 'ideographZodiac']);

/** Digits of other scripts, from zero on, that are written as those of Europe. */
const digits: Readonly<Record<string, string>> = {
  decimalFullWidth: '０１２３４５６７８９',
  ideographDigital: '〇一二三四五六七八九',
  taiwaneseDigital: '○一二三四五六七八九',
  japaneseLegal: '零壱弐参四伍六七八九',
  koreanDigital: '영일이삼사오육칠팔구',
  thaiNumbers: '๐๑๒๓๔๕๖๗๘๙',
  hindiNumbers: '०१२३४५६७८९',
};

/** Digits from zero on, with the signs for ten, a hundred and a thousand. */
const counting: Readonly<Record<string, readonly [digits: string, units: string, isOneWritten: boolean]>> = {
  chineseCounting: ['〇一二三四五六七八九', '十百千', false],
  koreanCounting: ['영일이삼사오육칠팔구', '십백천', false],
  chineseLegalSimplified: ['零壹贰叁肆伍陆柒捌玖', '拾佰仟', true],
  ideographLegalTraditional: ['零壹貳參肆伍陸柒捌玖', '拾佰仟', true],
};

const sameAs: Readonly<Record<string, string>> = {
  aiueoFullWidth: 'aiueo',
  irohaFullWidth: 'iroha',
  decimalFullWidth2: 'decimalFullWidth',
  ideographZodiacTraditional: 'ideographZodiac',
  chineseCountingThousand: 'chineseCounting',
  taiwaneseCounting: 'chineseCounting',
  taiwaneseCountingThousand: 'chineseCounting',
  japaneseCounting: 'chineseCounting',
  japaneseDigitalTenThousand: 'ideographDigital',
  koreanDigital2: 'ideographDigital',
  hebrew1: 'hebrew2',
};

/**
 * A number as a list shows it in an Asian format that Office names. Undefined for other formats, and for numbers that the
 * format cannot show.
 */
export function asianNumber(value: number, named: string): string | undefined {
  const format = sameAs[named] ?? named;
  if (!Number.isInteger(value) || value < 1 || value > 9999) return undefined;
  const letters = Array.from(alphabets[format] ?? '');
  if (letters.length > 0)
    return endingAlphabets.has(format) ? letters[value - 1] : letters[(value - 1) % letters.length];
  const own = digits[format];
  if (own !== undefined) return String(value).replaceAll(/\d/gu, (digit) => own[Number(digit)]!);
  return counting[format] && counted(value, ...counting[format]);
}

function counted(value: number, names: string, units: string, isOneWritten: boolean): string {
  let text = '';
  let hasGap = false;
  for (let power = 3; power >= 0; power -= 1) {
    const digit = Math.floor(value / 10 ** power) % 10;
    if (digit === 0) {
      hasGap ||= text !== '';
      continue;
    }
    // A zero stands for places that are left out; ten and its like stand without a one at the start.
    if (hasGap && value % 10 ** (power + 1) > 0) text += names[0]!;
    hasGap = false;
    const isOmitted = digit === 1 && power === 1 && text === '' && !isOneWritten;
    text += `${isOmitted ? '' : names[digit]!}${power === 0 ? '' : units[power - 1]!}`;
  }
  return text;
}

/** How a language writes numbers out: its digits from zero on, ten to thousand, ten thousand and so on. */
interface Spelling {
  digits: string;
  tens: string;
  thousands: string;
  /** Whether one stands before ten, a hundred and a thousand. */
  isOneWritten: boolean;
  /** Whether a zero stands for places that are left out. */
  isGapWritten: boolean;
}

const spelling = (
  digits: string,
  tens: string,
  thousands: string,
  isOneWritten = true,
  isGapWritten = true,
): Spelling => ({
  digits,
  tens,
  thousands,
  isOneWritten,
  isGapWritten,
});

/** By language, and by the number of Excel's `[DBNum1]` to `[DBNum4]`. */
const spellings: Readonly<Record<string, readonly Spelling[]>> = {
  'zh-CN': [
    spelling('〇一二三四五六七八九', '十百千', '万亿兆'),
    spelling('零壹贰叁肆伍陆柒捌玖', '拾佰仟', '万亿兆'),
    spelling('０１２３４５６７８９', '十百千', '万亿兆'),
  ],
  'zh-TW': [
    spelling('〇一二三四五六七八九', '十百千', '萬億兆'),
    spelling('零壹貳參肆伍陸柒捌玖', '拾佰仟', '萬億兆'),
    spelling('０１２３４５６７８９', '十百千', '萬億兆'),
  ],
  ja: [
    spelling('〇一二三四五六七八九', '十百千', '万億兆', false, false),
    spelling('〇壱弐参四伍六七八九', '拾百阡', '萬億兆', true, false),
    spelling('０１２３４５６７８９', '十百千', '万億兆', true, false),
  ],
  ko: [
    spelling('〇一二三四五六七八九', '十百千', '万億兆', true, false),
    spelling('零壹貳參四伍六七八九', '拾佰阡', '萬億兆'),
    spelling('０１２３４５６７８９', '십백천', '만억조', true, false),
    spelling('영일이삼사오육칠팔구', '십백천', '만억조', true, false),
  ],
};
const largestSpelled = 16;

/**
 * The numbers in a text as Excel writes them with `[DBNum1]` to `[DBNum4]`: `digits` one by one, `counted` with signs for ten and its powers,
 * `date` counted save for years and numbers with zeros before them.
 */
export function withSpelledNumbers(
  text: string,
  { language, kind, manner }: { language: string; kind: number; manner: 'digits' | 'counted' | 'date' },
): string {
  const own = spellings[language]?.[kind - 1];
  if (own === undefined || /\dE[+-]?\d/u.test(text)) return text;
  const oneByOne = (digits: string): string => digits.replaceAll(/\d/gu, (digit) => own.digits[Number(digit)]!);
  if (manner === 'digits') return oneByOne(text);
  return text.replaceAll(/(\d+)(\.\d+)?/gu, (_, whole: string, fraction = '') => {
    const isRow = whole.length > largestSpelled || (manner === 'date' && (whole.length > 2 || whole.startsWith('0')));
    if (isRow) return oneByOne(`${whole}${fraction}`);
    const spelled = spelledNumber(whole, own);
    const isTeen = manner === 'date' && spelled.startsWith(`${own.digits[1]}${own.tens[0]}`);
    return (isTeen ? spelled.slice(1) : spelled) + oneByOne(fraction);
  });
}

function spelledNumber(whole: string, { digits, tens, thousands, isOneWritten, isGapWritten }: Spelling): string {
  let text = '';
  let hasGap = false;
  for (let at = 0; at < whole.length; at += 1) {
    const digit = whole[at];
    const power = whole.length - 1 - at;
    const place = power % 4;
    if (digit === '0') hasGap ||= text !== '';
    else {
      if (hasGap && isGapWritten) text += digits[0]!;
      hasGap = false;
      const isOmitted = digit === '1' && place > 0 && !isOneWritten;
      text += `${isOmitted ? '' : digits[Number(digit)]!}${place === 0 ? '' : tens[place - 1]!}`;
    }
    const isGroup = place === 0 && power > 0 && Number(whole.slice(Math.max(0, at - 3), at + 1)) > 0;
    if (isGroup) text += thousands[power / 4 - 1]!;
  }
  return text === '' ? digits[0]! : text;
}
