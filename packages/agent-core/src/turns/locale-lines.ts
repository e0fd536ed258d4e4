/** Where and in which language a person reads. */
export interface Locale {
  /** An IANA name. */
  readonly timeZone?: string | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
}

/** The first locale of each kind that is known. The request says more than the organization. */
export function firstKnown(...locales: readonly (Locale | undefined)[]): Locale {
  return {
    timeZone: locales.find((each) => each?.timeZone !== undefined)?.timeZone,
    language: locales.find((each) => each?.language !== undefined)?.language,
  };
}

/** Facts for the tail of a request, for example `Today is Sunday, 2026-11-22 (Europe/Berlin).` */
export function localeLines(now: Date, { timeZone = 'UTC', language }: Locale): string[] {
  const { weekday, date } = formatsOf(timeZone);
  return [
    `Today is ${weekday.format(now)}, ${date.format(now)} (${timeZone}).`,
    ...(language === undefined ? [] : [languageLine(language)]),
  ];
}

const formats = new Map<string, { weekday: Intl.DateTimeFormat; date: Intl.DateTimeFormat }>();
/** Names come from requests, in any spelling. */
const maxFormats = 500;

/** Kept, because making a format takes longer than all else that a turn does with its prompt. */
function formatsOf(timeZone: string): { weekday: Intl.DateTimeFormat; date: Intl.DateTimeFormat } {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  if (formats.size >= maxFormats) formats.clear();
  const made = {
    weekday: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }),
    date: new Intl.DateTimeFormat('sv', { timeZone }),
  };
  formats.set(timeZone, made);
  return made;
}

/** The tail of a request with these facts at its end. */
export async function withLocaleLines(
  tail: string,
  { timeZone, language }: Locale,
  services: { locale?(): Promise<Locale> },
): Promise<string> {
  const locale = firstKnown({ timeZone, language }, await services.locale?.());
  return [tail, localeLines(new Date(), locale).join('\n')].join('\n\n');
}

function languageLine(tag: string): string {
  const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(tag) ?? tag;
  return `Language of the answer, unless the person writes in another: ${name} (${tag}).`;
}
