import { type DrawnDocument, fonts, paperWidth } from '../made-documents/drawn-document.ts';
import type { Random } from '../made-documents/random.ts';
import { iso } from '../made-documents/writer.ts';
import { type Mark, money, someDay, typeset, written } from './papers.ts';
import { answers, type AnswerKind, type Questionnaire } from './questions.ts';
import type { Vendor } from './vendor.ts';
import { vendors } from './vendors.ts';

/** Half a sheet. */
const formHeight = 561;

/** A filled form: two columns of statements, values above thin lines, captions in a row over their values, or after dots. */
export function drawQuestionnaire(
  language: string,
  { title, questions }: Questionnaire,
  random: Random,
  variant: number,
): DrawnDocument {
  const code = language as Vendor['language'];
  const vendor = vendors.find((one) => one.language === code)!;
  const empty = random.between(0, questions.length - 1);
  const filled = questions.map(([field, kind, printed, described], index) => {
    const { text, value } = index === empty ? { text: '', value: null } : answer(kind, vendor, random);
    return { field, kind, printed, described, text, value };
  });
  const marks: Mark[] = [{ x: 60, y: 70, text: title, size: 19, isBold: true }];
  const rules: number[][] = [];
  for (const [index, { printed, text }] of filled.entries()) {
    const [column, row] = [index % 2, Math.floor(index / 2)];
    if (variant % 4 === 0) {
      marks.push({ x: 60 + column * 350, y: 120 + row * 34, text: `${printed}:` });
      marks.push({ x: 220 + column * 350, y: 120 + row * 34, text, isBold: true });
    } else if (variant % 4 === 1) {
      marks.push({ x: 60, y: 120 + index * 30, text: printed }, { x: 270, y: 118 + index * 30, text });
      rules.push([262, 123 + index * 30, 700, 123 + index * 30]);
    } else if (variant % 4 === 2) {
      marks.push({ x: 64 + column * 345, y: 122 + row * 50, text: printed, size: 9 });
      marks.push({ x: 64 + column * 345, y: 140 + row * 50, text });
      rules.push([60, 108 + row * 50, 740, 108 + row * 50], [400, 108 + row * 50, 400, 150 + row * 50]);
    } else {
      marks.push({
        x: 60,
        y: 120 + index * 28,
        text: `${printed} ${'.'.repeat(Math.max(4, 40 - printed.length))} ${text}`,
      });
    }
  }
  marks.push({ x: 60, y: 520, text: vendor.greeting, size: 10 });
  // A schema is in the words of the form, or in English with descriptions in the form's language.
  const isOwn = code !== 'en' && random.chance(0.5);
  const nameOf = (question: { field: string; printed: string }): string =>
    isOwn
      ? question.printed
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
          .replaceAll(/^_+|_+$/gu, '')
      : question.field;
  const there = filled.filter(({ value }) => value !== null);
  const missing = filled.filter(({ value }) => value === null);
  return {
    html: typeset(marks, rules, random.pick(fonts), formHeight),
    width: paperWidth,
    height: formHeight,
    expected: Object.fromEntries(there.map((one) => [nameOf(one), one.value])),
    absent: Object.fromEntries(
      missing.map((one) => [nameOf(one), one.kind === 'money' || one.kind === 'count' ? 'number' : 'string']),
    ),
    descriptions: isOwn ? {} : Object.fromEntries(filled.map((one) => [one.field, one.described])),
  };
}

function answer(kind: AnswerKind, vendor: Vendor, random: Random): { text: string; value: unknown } {
  const { names, streets, companies, words } = answers[vendor.language];
  const same = (text: string): { text: string; value: string } => ({ text, value: text });
  switch (kind) {
    case 'name':
      return same(random.pick(names));
    case 'street':
      return same(random.pick(streets));
    case 'company':
      return same(random.pick(companies));
    case 'words':
      return same(random.pick(words));
    case 'code':
      return same(`${random.pick(['K', 'Z', 'QR'])}${random.digits(6)}`);
    case 'phone':
      return same(`0${random.digits(2)} ${random.digits(3)} ${random.digits(4)}`);
    case 'day': {
      const day = someDay(random, 1958, 2025);
      return { text: written(vendor, day), value: iso(day) };
    }
    case 'count': {
      const value = random.between(2, 96);
      return { text: String(value), value };
    }
    case 'money': {
      const value = random.between(48, 390) * 10;
      return { text: money(vendor, value), value };
    }
  }
}
