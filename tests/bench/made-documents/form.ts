import { type DrawnDocument, fonts, paperHeight, paperWidth, sheet } from './drawn-document.ts';
import { phone } from './invoice.ts';
import { type FormField, formFields, type Half, type Locale, wordsOfHalf } from './locale.ts';
import { escaped as text, iso, type Writer } from './writer.ts';

interface Entry {
  field: FormField;
  caption: string;
  /** The text that was filled in; undefined for an empty field. */
  written: string | undefined;
  value: unknown;
}

type Layout = (entries: readonly Entry[], title: string, locale: Locale) => string;

const value = ({ written }: Entry): string => (written === undefined ? '&nbsp;' : text(written));
const rule = '<span style="display:inline-block;border-bottom:1px solid #000;';

function boxes(entry: Entry, { yesNo }: Locale, marks: readonly [string, string]): string {
  return yesNo
    .map((word, index) => `${entry.value === (index === 0) ? marks[1] : marks[0]} ${text(word)}`)
    .join(' &nbsp; ');
}

const content = (entry: Entry, locale: Locale, marks: readonly [string, string] = ['☐', '☒']): string =>
  entry.field === 'smoker' ? boxes(entry, locale, marks) : value(entry);

const layouts: Readonly<Record<Half, readonly Layout[]>> = {
  development: [
    (entries, title, locale) =>
      `<h2>${text(title)}</h2>${entries.map((e) => `<div style="margin:9px 0">${text(e.caption)}: ${rule}width:300px">${content(e, locale)}</span></div>`).join('')}`,
    (entries, title, locale) =>
      `<h2 style="text-align:center">${text(title)}</h2><div style="display:grid;grid-template-columns:1fr 1fr">${entries.map((e) => `<div style="border:1px solid #000;padding:3px 6px;height:46px"><div style="font-size:9px">${text(e.caption)}</div>${content(e, locale)}</div>`).join('')}</div>`,
    (entries, title, locale) =>
      `<h2>${text(title)}</h2><table style="width:100%">${entries.map((e) => `<tr><td style="border:1px solid #444;padding:5px;width:40%;background:#eee">${text(e.caption)}</td><td style="border:1px solid #444;padding:5px">${content(e, locale)}</td></tr>`).join('')}</table>`,
  ],
  held_out: [
    (entries, title, locale) =>
      `<div style="background:#246;color:#fff;padding:8px;font-size:18px">${text(title)}</div><div style="display:grid;grid-template-columns:1fr 1fr;gap:14px 40px;margin-top:16px">${entries.map((e) => `<div><div style="border-bottom:1px solid #000;min-height:18px">${content(e, locale, ['( )', '(x)'])}</div><div style="font-size:9px">${text(e.caption)}</div></div>`).join('')}</div>`,
    (entries, title, locale) =>
      `<h3>${text(title)}</h3><div style="display:grid;grid-template-columns:1fr 1fr 1fr;border:2px solid #000">${entries.map((e, index) => `<div style="border:1px solid #000;padding:2px 5px;height:52px"><div style="font-size:8px">${index + 1} ${text(e.caption)}</div><div style="font-family:'DejaVu Sans Mono';padding-top:5px">${content(e, locale, ['[ ]', '[X]'])}</div></div>`).join('')}</div>`,
    (entries, title, locale) =>
      `<h2>${text(title)}</h2><table style="width:100%">${pairs(entries)
        .map(
          (two) =>
            `<tr>${two.map((e) => `<td style="padding:8px 4px;color:#333">${text(e.caption)}</td><td style="padding:8px 4px;font-weight:bold;width:30%">${content(e, locale)}</td>`).join('')}</tr>`,
        )
        .join('')}</table>`,
  ],
};

function pairs(entries: readonly Entry[]): Entry[][] {
  return entries.flatMap((entry, index) => (index % 2 === 0 ? [[entry, ...entries.slice(index + 1, index + 2)]] : []));
}

const numeric = new Set<FormField>(['annual_income', 'insured_amount']);

/** A filled form: boxes, lines or a grid, with a few fields left empty. */
export function drawForm(writer: Writer): DrawnDocument {
  const { random, locale, half } = writer;
  const chosen = new Set(random.some(formFields, random.between(9, 14)));
  const asked = formFields.filter((field) => chosen.has(field));
  const empty = new Set(
    random.some<FormField>(
      asked.filter((field) => field !== 'smoker'),
      2,
    ),
  );
  const entries = asked.map((field): Entry => {
    const caption = writer.one(locale.captions[field]);
    if (empty.has(field)) return { field, caption, written: undefined, value: null };
    return { field, caption, ...entered(field, writer) };
  });
  // Half of the schemas are in the language of the form, the others in English with descriptions in that language.
  const isNamedLikeForm = locale.code !== 'en' && random.chance(0.5);
  const named = entries.map((entry): [string, Entry] => {
    const other = locale.captions[entry.field][half === 'development' ? 1 : 0][0]!;
    return [isNamedLikeForm ? snake(entry.caption) : entry.field, { ...entry, caption: other }];
  });
  const describes = locale.code !== 'en' && !isNamedLikeForm;
  return {
    html: sheet(
      `body{padding:40px;font:13px '${random.pick(fonts)}'}`,
      random.pick(layouts[half])(entries, writer.one(locale.formTitles), locale) +
        `<p style="font-size:10px">${text(random.pick(locale.sentences))}</p>`,
    ),
    width: paperWidth,
    height: paperHeight,
    expected: Object.fromEntries(named.filter(([, e]) => e.value !== null).map(([name, e]) => [name, e.value])),
    absent: Object.fromEntries(
      named
        .filter(([, e]) => e.value === null)
        .map(([name, e]) => [name, numeric.has(e.field) ? 'number' : 'string'] as const),
    ),
    descriptions: describes ? Object.fromEntries(entries.map((e) => [e.field, e.caption])) : {},
  };
}

function snake(caption: string): string {
  return caption
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '');
}

function entered(field: FormField, writer: Writer): { written: string; value: unknown } {
  const { random, locale, half } = writer;
  const same = (written: string): { written: string; value: string } => ({ written, value: written });
  const person = random.pick(wordsOfHalf(locale.people, half));
  const [first = '', ...rest] = person.split(' ');
  const [code, city] = random.pick(locale.places);
  switch (field) {
    case 'first_name':
      return same(first);
    case 'last_name':
      return same(rest.join(' '));
    case 'date_of_birth':
    case 'start_date': {
      const day = field === 'start_date' ? writer.day(2024, 2026) : writer.day(1950, 2004);
      return { written: writer.date(day), value: iso(day) };
    }
    case 'address':
      return same(random.pick(locale.streets));
    case 'city':
      return same(city.split(',')[0]!);
    case 'postal_code':
      return same(code);
    case 'phone':
      return same(phone(writer));
    case 'email':
      return same(
        `${first
          .toLowerCase()
          .normalize('NFD')
          .replaceAll(/\P{ASCII}/gu, '')}@example.org`,
      );
    case 'nationality':
      return same(random.pick(locale.nationalities));
    case 'marital_status':
      return same(random.pick(locale.maritalStates));
    case 'occupation':
      return same(random.pick(locale.occupations));
    case 'employer':
      return same(random.pick(wordsOfHalf(locale.companies, half)));
    case 'annual_income':
    case 'insured_amount': {
      const amount = random.between(210, 940) * 100;
      return { written: writer.amount(amount), value: amount };
    }
    case 'policy_number':
      return same(`${random.pick(['PV', 'KX', 'LM'])}-${random.digits(7)}`);
    case 'vehicle_model':
      return same(random.pick(['Volvo V60', 'Renault Kangoo', 'Fiat Panda', 'Toyota Corolla']));
    case 'license_plate':
      return same(`${random.pick(['KB', 'AX', 'MT'])} ${random.digits(3)} ${random.pick(['TR', 'ZE', 'PL'])}`);
    case 'smoker': {
      const isSmoker = random.chance(0.5);
      return { written: '', value: isSmoker };
    }
    case 'emergency_contact':
      return same(person);
  }
}
