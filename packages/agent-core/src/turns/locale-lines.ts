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
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }).format(now);
  const date = new Intl.DateTimeFormat('sv', { timeZone }).format(now);
  return [`Today is ${weekday}, ${date} (${timeZone}).`, ...(language === undefined ? [] : [languageLine(language)])];
}

function languageLine(tag: string): string {
  const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(tag) ?? tag;
  return `Language of the answer, unless the person writes in another: ${name} (${tag}).`;
}
