import { isCreditorReference, isIban, isQrReference } from './check-digits.ts';
import { createFields, isAmount, type Payment } from './payment-fields.ts';

/** Numbers of the lines, from 0, after SIX's “Implementation Guidelines for the QR-bill”. */
const at = { version: 1, coding: 2, iban: 3, creditor: 4, ultimateCreditor: 11, amount: 18, currency: 19 } as const;
const more = {
  debtor: 20,
  referenceType: 27,
  reference: 28,
  message: 29,
  trailer: 30,
  billing: 31,
  procedures: 32,
} as const;

const referenceRules: Readonly<Record<string, (reference: string) => boolean>> = {
  QRR: isQrReference,
  SCOR: isCreditorReference,
  NON: () => false,
};

/** The fields of a Swiss QR-bill. Undefined for any other text. */
export function readSwissQrBill(text: string): Payment | undefined {
  const lines = text.split(/\r?\n/u).map((line) => line.trim());
  if (lines[0] !== 'SPC') return undefined;
  const fields = createFields();
  const line = (index: number): string | undefined => lines[index];
  fields.add('version', line(at.version), (value) => /^02\d\d$/u.test(value), 'The version is not 02xx.');
  if (line(at.coding) !== '1') fields.problem('The coding is not 1 (Latin characters).');
  const isSwiss = (iban: string): boolean => /^(?:CH|LI)/u.test(iban) && iban.length === 21 && isIban(iban);
  fields.add('iban', line(at.iban), isSwiss, 'The IBAN is no Swiss one, or its check digits are wrong.');
  if (!line(at.iban)) fields.problem('The IBAN is missing.');
  fields.addText('creditor', addressAt(lines, at.creditor));
  if (!addressAt(lines, at.creditor)) fields.problem('The creditor is missing.');
  fields.addText('ultimate_creditor', addressAt(lines, at.ultimateCreditor));
  fields.add('amount', line(at.amount), isAmount, 'The amount is no number with two decimals.');
  fields.add(
    'currency',
    line(at.currency),
    (value) => value === 'CHF' || value === 'EUR',
    'The currency is neither CHF nor EUR.',
  );
  fields.addText('debtor', addressAt(lines, more.debtor));
  const type = line(more.referenceType) ?? '';
  fields.add('reference_type', type, (value) => value in referenceRules, 'The kind of reference is unknown.');
  const isRight = (value: string): boolean => referenceRules[type]?.(value) ?? false;
  fields.add(
    'reference',
    line(more.reference),
    isRight,
    `The reference does not fit its kind (${type.slice(0, 4)}), or its check digit is wrong.`,
  );
  if ((type === 'QRR' || type === 'SCOR') && !line(more.reference)) fields.problem('The reference is missing.');
  const iban = line(at.iban) ?? '';
  // Account numbers whose bank has a number from 30000 to 31999 go with a QR reference, and only they.
  if (isSwiss(iban) && /^3[01]/u.test(iban.slice(4)) !== (type === 'QRR')) {
    fields.problem('The kind of reference does not go with the kind of IBAN.');
  }
  fields.addText('message', line(more.message));
  if (line(more.trailer) !== 'EPD') fields.problem('The end of the payment part (EPD) is missing.');
  fields.addText('billing_information', line(more.billing));
  const procedures = lines.slice(more.procedures, more.procedures + 2).filter(Boolean);
  if (procedures.length > 0) fields.addText('alternative_procedures', procedures);
  return { profile: 'swiss_qr_bill', data: fields.data() };
}

/** Seven lines: the kind of address, the name, then a street with a number and a place, or two lines; and the country. */
function addressAt(lines: readonly string[], start: number): Record<string, string> | undefined {
  const [kind, name, first, second, postal_code, city, country] = lines.slice(start, start + 7);
  const named =
    kind === 'K'
      ? { name, line_1: first, line_2: second, country }
      : { name, street: first, building: second, postal_code, city, country };
  const filled = Object.entries(named).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}
