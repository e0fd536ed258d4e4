/** One meaning of written digits. */
interface NumberReading {
  /** Plain digits with sign and decimal point. They are never converted to a number, which would round them. */
  digits: string;
  /** 0–1; 1 for a usual reading. */
  likelihood: number;
}

/** Likelihood of an unusual reading. */
const unusualLikelihood = 0.6;
const currency = String.raw`(?:\p{Sc}|[A-Z]{3}|[A-Z]{1,2}\p{Sc}|Rs\.?|kr\.?|zł|Fr\.?)`;
const figures = String.raw`\d(?:[\d.,'’  ]*\d)?`;
const literal = new RegExp(
  String.raw`^[("'\[*#:=~≈]*(?:${currency})?\s*(?<before>[-−–+(]?)\s*(?:${currency})?\s*(?<figures>${figures}|[.,]\d+)(?<after>[-−)]?)(?<rest>[^\d]{0,6})$`,
  'u',
);
const groupedByThree = /^\d{1,3}(?:([.,'’  ])\d{3})(?:\1\d{3})*$/;
const groupedByThreeWithDecimals = /^\d{1,3}(?:([.,'’  ])\d{2,3})*\1?\d{3}([.,])\d+$/;

/** All numbers that a written word can mean: `1.234` is a thousand in some notations and about one in others. */
export function numberReadings(text: string): NumberReading[] {
  const match = literal.exec(text);
  const written = match?.groups?.['figures'];
  if (match === null || written === undefined) return [];
  const { before = '', after = '', rest = '' } = match.groups ?? {};
  const isNegative =
    /[-−–(]/.test(before) || (after !== '' && /[-−]/.test(after)) || (before === '(' && rest.startsWith(')'));
  const sign = isNegative ? '-' : '';
  return magnitudes(written).map(({ digits, likelihood }) => ({ digits: sign + digits, likelihood }));
}

function magnitudes(written: string): NumberReading[] {
  const plain = (text: string): string => text.replace(/[^\d]/g, '');
  if (/^\d+$/.test(written)) return [{ digits: written, likelihood: 1 }];
  const decimals = decimalSeparator(written);
  if (decimals === undefined) return groupedByThree.test(written) ? [{ digits: plain(written), likelihood: 1 }] : [];
  const position = written.lastIndexOf(decimals);
  const whole = written.slice(0, position);
  const fraction = written.slice(position + 1);
  const asDecimal = { digits: `${plain(whole) || '0'}.${plain(fraction)}`, likelihood: 1 };
  if (!groupedByThree.test(written)) return [asDecimal];
  // One separator before exactly three digits separates thousands more often than thousandths.
  const isAmbiguous = whole.length <= 3 && fraction.length === 3 && /^\d+$/.test(whole) && /[.,]/.test(decimals);
  const asThousands = { digits: plain(written), likelihood: 1 };
  return isAmbiguous ? [asThousands, { ...asDecimal, likelihood: unusualLikelihood }] : [asThousands];
}

/** The last separator, if it can be the decimal point. */
function decimalSeparator(written: string): string | undefined {
  const separators = written.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return undefined;
  const isRepeated = separators.filter((separator) => separator === last).length > 1;
  return isRepeated && !groupedByThreeWithDecimals.test(written) ? undefined : last;
}
