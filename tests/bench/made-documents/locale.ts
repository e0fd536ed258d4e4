/** The two halves of all documents: one for development, the other only for scores. They share nothing. */
export type Half = 'development' | 'held_out';

/** Wordings of the same label, for each half. */
export type Wordings = readonly [development: readonly string[], heldOut: readonly string[]];

export const paperLabels = [
  'invoice',
  'number',
  'date',
  'due',
  'customer',
  'order',
  'buyer',
  'delivery',
  'description',
  'quantity',
  'price',
  'amount',
  'code',
  'subtotal',
  'tax',
  'total',
  'phone',
  'vat_id',
  'thanks',
  'receipt',
  'receipt_number',
  'cashier',
  'cash',
  'change',
  'card',
] as const;
export type PaperLabel = (typeof paperLabels)[number];

export const formFields = [
  'first_name',
  'last_name',
  'date_of_birth',
  'address',
  'city',
  'postal_code',
  'phone',
  'email',
  'nationality',
  'marital_status',
  'occupation',
  'employer',
  'annual_income',
  'start_date',
  'policy_number',
  'insured_amount',
  'vehicle_model',
  'license_plate',
  'smoker',
  'emergency_contact',
] as const;
export type FormField = (typeof formFields)[number];

/** The papers of a language: labels, formats, names and goods. */
export interface Locale {
  code: 'en' | 'de' | 'fr' | 'it' | 'es';
  decimal: ',' | '.';
  group: ',' | '.' | ' ' | "'";
  currency: { code: string; sign: string; isBefore: boolean };
  /** `D`, `DD`, `M`, `MM`, `MMM` (a name), `YY`, `YYYY`. */
  dates: Wordings;
  months: readonly string[];
  taxRates: readonly number[];
  companies: Wordings;
  people: Wordings;
  streets: readonly string[];
  /** `[postal code, place]` */
  places: readonly (readonly [string, string])[];
  /** The order of postal code and place in an address. */
  place: (code: string, city: string) => string;
  goods: Wordings;
  sentences: readonly string[];
  labels: Readonly<Record<PaperLabel, Wordings>>;
  formTitles: Wordings;
  captions: Readonly<Record<FormField, Wordings>>;
  yesNo: readonly [string, string];
  nationalities: readonly string[];
  maritalStates: readonly string[];
  occupations: readonly string[];
}

export function wordsOfHalf(wordings: Wordings, half: Half): readonly string[] {
  return wordings[half === 'development' ? 0 : 1];
}
