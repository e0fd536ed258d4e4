import type { JsonSchema } from '../fill/schema/json-schema.ts';
import type { DocumentKind } from './document-kind.ts';

function text(description: string): JsonSchema {
  return { type: ['string', 'null'], description };
}

function date(description: string): JsonSchema {
  return { type: ['string', 'null'], description: `${description}, ISO 8601 (YYYY-MM-DD)` };
}

function amount(description: string): JsonSchema {
  return { type: ['number', 'null'], description };
}

function table(description: string, columns: Record<string, JsonSchema>): JsonSchema {
  const items = { type: 'object', properties: columns, required: Object.keys(columns), additionalProperties: false };
  return { type: 'array', description, items };
}

const lineItems = table('One entry for each line of the table of goods or services', {
  description: text('What the line is for'),
  quantity: amount('How many'),
  unit_price: amount('Price of one'),
  tax_rate: amount('Tax rate in percent'),
  amount: amount('Sum of the line'),
});

/** The usual fields of each kind of document. A proposal includes the fields that the page has. */
export const fieldsOfKind: Readonly<Record<DocumentKind, Record<string, JsonSchema>>> = {
  invoice: {
    invoice_number: text('Number of the invoice'),
    invoice_date: date('Date of the invoice'),
    due_date: date('Date by which it is to be paid'),
    seller_name: text('Name of the company that sells'),
    seller_address: text('Postal address of the seller'),
    vat_id: text('VAT identification number of the seller'),
    buyer_name: text('Name of the person or company that buys'),
    buyer_address: text('Postal address of the buyer'),
    customer_id: text('Number of the customer'),
    po_number: text('Number of the order'),
    currency: text('ISO 4217 code of the currency'),
    subtotal: amount('Sum before tax'),
    tax_amount: amount('Tax in total'),
    total: amount('Sum with tax'),
    amount_due: amount('What remains to be paid'),
    iban: text('IBAN of the account to pay to'),
    line_items: lineItems,
  },
  receipt: {
    merchant_name: text('Name of the shop'),
    merchant_address: text('Postal address of the shop'),
    phone: text('Phone number of the shop'),
    receipt_number: text('Number of the receipt'),
    date: date('Day of the purchase'),
    currency: text('ISO 4217 code of the currency'),
    subtotal: amount('Sum before tax'),
    tax: amount('Tax in total'),
    tip: amount('Tip'),
    total: amount('Sum paid'),
    cash: amount('Cash given'),
    change: amount('Change returned'),
    line_items: lineItems,
  },
  contract: {
    title: text('Title of the contract'),
    effective_date: date('Day from which it holds'),
    end_date: date('Day on which it ends'),
    party_1: text('First party'),
    party_2: text('Second party'),
    governing_law: text('Law that governs it'),
  },
  letter: {
    sender: text('Who wrote it'),
    recipient: text('To whom it is written'),
    subject: text('What it is about'),
    date: date('Day it was written'),
    reference: text('Reference number'),
    email: text('E-mail address'),
  },
  lab_report: {
    patient_name: text('Name of the patient'),
    date_of_birth: date('Date of birth of the patient'),
    sample_id: text('Number of the sample'),
    report_date: date('Date of the report'),
    physician: text('Physician who ordered it'),
  },
  form: {},
  report: { title: text('Title'), date: date('Date of the report') },
};
