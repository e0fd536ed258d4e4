/** The texts of one business's papers, in its own words. */
export interface Vendor {
  language: 'en' | 'de' | 'fr' | 'it' | 'es';
  name: string;
  address: readonly [street: string, place: string];
  buyers: readonly (readonly [name: string, street: string, place: string])[];
  title: string;
  number: { label: string; prefix: string };
  date: { label: string; form: string };
  due: string;
  order: string;
  buyer: string;
  /** Headers of the table: description, quantity, unit price, amount. */
  columns: readonly [string, string, string, string];
  net: string;
  tax: { label: string; rate: number };
  total: string;
  money: { decimal: ',' | '.'; group: string; before: string; after: string };
  goods: readonly string[];
  greeting: string;
  till: { number: string; total: string; cash: string; change: string; tax: string };
}
