export type Language = 'en' | 'de' | 'fr' | 'es';

export const localeOf: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' };

/** An amount as people write it; `style` chooses one of several ways. */
export function amount(value: number, currency: string, language: Language, style: number): string {
  const locale = localeOf[language];
  const hasCents = !Number.isInteger(value);
  const digits = { minimumFractionDigits: hasCents ? 2 : 0, maximumFractionDigits: 2 };
  const plain = new Intl.NumberFormat(locale, digits).format(value);
  const sign = { EUR: '€', USD: '$', CHF: 'CHF' }[currency] ?? currency;
  switch (style % 4) {
    case 0:
      return `${plain} ${currency}`;
    case 1:
      return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(value);
    case 2:
      return language === 'en' ? `${sign === 'CHF' ? 'CHF ' : sign}${plain}` : `${plain} ${sign}`;
    default:
      return `${currency} ${plain}`;
  }
}

/** A date as people write it. */
export function date(iso: string, language: Language, style: number): string {
  const parts = new Date(`${iso}T00:00:00Z`);
  const [year, month, day] = iso.split('-');
  const long = new Intl.DateTimeFormat(localeOf[language], { dateStyle: 'long', timeZone: 'UTC' }).format(parts);
  switch (style % 3) {
    case 0:
      return long;
    case 1:
      return language === 'de' ? `${Number(day)}.${Number(month)}.${year}` : long;
    default:
      return iso;
  }
}

export const month = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${iso}T00:00:00Z`),
  );

/** A value rounded to two leading digits, as behind “about”. */
export const roughly = (value: number): number => {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  const rough = Math.round(value / step) * step;
  return Math.abs(rough - value) <= 0.0195 * value ? rough : Math.round(value / (step / 10)) * (step / 10);
};

export const plain = (value: number, language: Language): string =>
  new Intl.NumberFormat(localeOf[language]).format(value);
