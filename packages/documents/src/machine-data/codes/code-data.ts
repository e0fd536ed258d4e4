import type { MachineData } from '@docwright/contract';
import { isCreditorReference, isIban } from './check-digits.ts';
import { createFields, isAmount, type Payment } from './payment-fields.ts';
import { readSwissQrBill } from './swiss-qr-bill.ts';

/** A code as its reader gives it. */
export interface FoundCode {
  format: string;
  text: string;
  bytes: Uint8Array;
  contentType: string;
  symbologyIdentifier: string;
}

/** Characters of a code's text: the largest QR code has 7,089 digits. */
const maxText = 8_000;

/** Names of bar codes as profiles. */
const profiles: Readonly<Record<string, string>> = {
  EAN13: 'ean_13',
  EAN8: 'ean_8',
  UPCA: 'upc_a',
  UPCE: 'upc_e',
  Code128: 'code_128',
  Code39: 'code_39',
  Code93: 'code_93',
  ITF: 'itf',
  DataMatrix: 'data_matrix',
  Aztec: 'aztec',
  PDF417: 'pdf_417',
};

/** The data of a code. A QR code of a payment has its fields; `problems` lists their errors. Nothing is guessed. */
export function codeData(code: FoundCode): MachineData {
  const { format, symbologyIdentifier } = code;
  const content = contentOf(code);
  if (/QR/u.test(format)) {
    const payment = readSwissQrBill(code.text) ?? readEpc(code.text);
    if (payment) return { kind: 'qr_code', profile: payment.profile, data: { ...payment.data, ...content } };
    return { kind: 'qr_code', profile: 'plain', data: content };
  }
  // The standard marks element strings of GS1 so.
  const isGs1 = symbologyIdentifier === ']C1';
  const profile = isGs1
    ? 'gs1_128'
    : (profiles[format] ?? (format.startsWith('DataBar') ? 'data_bar' : format.toLowerCase()));
  return { kind: 'bar_code', profile, data: content };
}

/** The text, or the bytes of a code that holds no text. */
function contentOf({ text, bytes, contentType }: FoundCode): Record<string, unknown> {
  if (contentType === 'Binary') return { base64: Buffer.from(bytes).toString('base64').slice(0, maxText) };
  return { text: text.slice(0, maxText) };
}

/** The fields of an EPC QR code (EPC069-12, “Girocode”): a transfer in euros. Undefined for any other text. */
export function readEpc(text: string): Payment | undefined {
  const lines = text.split(/\r?\n/u).map((line) => line.trim());
  const [service, version, characters, identification, bic, name, iban, amount, purpose, reference, message, note] =
    lines;
  if (service !== 'BCD' || !/^00[12]$/u.test(version ?? '')) return undefined;
  const fields = createFields();
  fields.addText('version', version);
  if (!/^[1-8]$/u.test(characters ?? '')) fields.problem('The character set is not a number from 1 to 8.');
  if (identification !== 'SCT' && identification !== 'INST') fields.problem('The transfer is neither SCT nor INST.');
  else fields.addText('transfer', identification);
  fields.add(
    'bic',
    bic,
    (value) => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/u.test(value),
    'The BIC has not 8 or 11 characters.',
  );
  if (version === '001' && !bic) fields.problem('The BIC is missing, which version 001 needs.');
  if (name) fields.addText('name', name);
  else fields.problem('The name of the beneficiary is missing.');
  // Some programs write it in groups.
  fields.add('iban', iban?.replaceAll(' ', ''), isIban, 'The check digits of the IBAN are wrong.');
  if (!iban) fields.problem('The IBAN is missing.');
  if (amount) {
    const value = amount.slice(3);
    if (amount.startsWith('EUR') && isAmount(value)) {
      fields.addText('amount', value);
      fields.addText('currency', 'EUR');
    } else fields.problem('The amount is no number of euros with two decimals.');
  }
  fields.addText('purpose', purpose);
  // A reference of this standard has check digits; others are as their country writes them.
  const isRight = (value: string): boolean => !/^RF\d\d/u.test(value) || isCreditorReference(value.replaceAll(' ', ''));
  fields.add('reference', reference, isRight, 'The check digits of the reference are wrong.');
  fields.addText('message', message);
  if (reference && message) fields.problem('A reference and a message exclude each other.');
  fields.addText('note', note);
  return { profile: 'epc', data: fields.data() };
}
