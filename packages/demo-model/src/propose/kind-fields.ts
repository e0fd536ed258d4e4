import type { FieldSchema } from '../fill/schema/json-schema.ts';
import type { ProposedKind } from './document-kind.ts';

function text(description: string): FieldSchema {
  return { type: ['string', 'null'], description };
}

function date(description: string): FieldSchema {
  return { type: ['string', 'null'], description: `${description}, ISO 8601 (YYYY-MM-DD)` };
}

function amount(description: string): FieldSchema {
  return { type: ['number', 'null'], description };
}

function table(description: string, columns: Record<string, FieldSchema>): FieldSchema {
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

function orderFields(): Record<string, FieldSchema> {
  return {
    order_number: text('Number of the order'),
    order_date: date('Date of the order'),
    delivery_date: date('Day of the delivery'),
    seller_name: text('Name of the company that sells'),
    buyer_name: text('Name of the person or company that buys'),
    currency: text('ISO 4217 code of the currency'),
    subtotal: amount('Sum before tax'),
    tax_amount: amount('Tax in total'),
    total: amount('Sum with tax'),
    line_items: lineItems,
  };
}

/** The usual fields of each kind of document. A proposal for the kind has all of them, one for a document those that its pages have. */
export const fieldsOfKind: Readonly<Partial<Record<ProposedKind, Record<string, FieldSchema>>>> = {
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
  email: {
    sender: text('Who wrote it'),
    recipient: text('To whom it is written'),
    subject: text('What it is about'),
    date: date('Day it was sent'),
  },
  credit_note: {
    credit_note_number: text('Number of the credit note'),
    credit_note_date: date('Date of the credit note'),
    invoice_number: text('Number of the invoice that it corrects'),
    seller_name: text('Name of the company that gives the credit'),
    buyer_name: text('Name of the person or company that gets it'),
    currency: text('ISO 4217 code of the currency'),
    subtotal: amount('Sum before tax'),
    tax_amount: amount('Tax in total'),
    total: amount('Sum with tax'),
    line_items: lineItems,
  },
  quote: {
    quote_number: text('Number of the quote'),
    quote_date: date('Date of the quote'),
    valid_until: date('Day until which it holds'),
    seller_name: text('Name of the company that offers'),
    buyer_name: text('To whom it is offered'),
    currency: text('ISO 4217 code of the currency'),
    subtotal: amount('Sum before tax'),
    tax_amount: amount('Tax in total'),
    total: amount('Sum with tax'),
    line_items: lineItems,
  },
  purchase_order: orderFields(),
  order_confirmation: orderFields(),
  delivery_note: {
    delivery_note_number: text('Number of the delivery note'),
    delivery_date: date('Day of the delivery'),
    order_number: text('Number of the order'),
    sender: text('Who delivers'),
    recipient: text('To whom it is delivered'),
    line_items: table('One entry for each line of the table of goods', {
      description: text('What is delivered'),
      quantity: amount('How many'),
    }),
  },
  payment_reminder: {
    reminder_date: date('Date of the reminder'),
    invoice_number: text('Number of the invoice that is overdue'),
    invoice_date: date('Date of that invoice'),
    due_date: date('Day by which it is to be paid'),
    seller_name: text('Who is to be paid'),
    buyer_name: text('Who is to pay'),
    currency: text('ISO 4217 code of the currency'),
    amount_due: amount('What remains to be paid'),
    iban: text('IBAN of the account to pay to'),
  },
  bank_statement: {
    bank_name: text('Name of the bank'),
    account_holder: text('To whom the account belongs'),
    account_number: text('Number of the account'),
    iban: text('IBAN of the account'),
    statement_date: date('Date of the statement'),
    period_start: date('First day of the period'),
    period_end: date('Last day of the period'),
    currency: text('ISO 4217 code of the currency'),
    opening_balance: amount('Balance at the start'),
    closing_balance: amount('Balance at the end'),
    transactions: table('One entry for each transaction', {
      date: date('Day of the transaction'),
      description: text('What it was for'),
      amount: amount('Its amount'),
      balance: amount('Balance after it'),
    }),
  },
  account_statement: {
    customer_id: text('Number of the customer'),
    statement_date: date('Date of the statement'),
    seller_name: text('Who sends the statement'),
    buyer_name: text('Whose account it is'),
    currency: text('ISO 4217 code of the currency'),
    amount_due: amount('What remains to be paid'),
    entries: table('One entry for each line of the account', {
      date: date('Day of the entry'),
      description: text('What it is for'),
      amount: amount('Its amount'),
      balance: amount('Balance after it'),
    }),
  },
  payslip: {
    employee_name: text('Name of the employee'),
    employee_number: text('Number of the employee'),
    employer: text('Name of the employer'),
    pay_date: date('Day of the payment'),
    period_start: date('First day of the period'),
    period_end: date('Last day of the period'),
    currency: text('ISO 4217 code of the currency'),
    gross_pay: amount('Pay before deductions'),
    deductions: amount('Deductions in total'),
    net_pay: amount('What is paid'),
  },
  expense_report: {
    report_number: text('Number of the report'),
    employee_name: text('Who had the expenses'),
    date: date('Date of the report'),
    currency: text('ISO 4217 code of the currency'),
    total: amount('Sum of the expenses'),
    expenses: table('One entry for each expense', {
      date: date('Day of the expense'),
      description: text('What it was for'),
      merchant: text('Who was paid'),
      amount: amount('Its amount'),
    }),
  },
  resume: {
    full_name: text('Name of the person'),
    email: text('E-mail address'),
    phone: text('Phone number'),
    address: text('Postal address'),
  },
  minutes: {
    title: text('Title of the meeting'),
    date: date('Day of the meeting'),
    chair: text('Who led it'),
    location: text('Where it was held'),
  },
  document: { title: text('Title'), date: date('Date of the report') },
};
