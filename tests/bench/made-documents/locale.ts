/** The two halves of everything that is printed: one to develop with, the other only to score. They share nothing. */
export type Half = 'development' | 'held_out';

/** Ways to print the same thing: those of development, those held out. */
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

/** How papers of a language look. */
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
  /** How the two stand on an envelope. */
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
