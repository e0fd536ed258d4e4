import { describe, expect, it } from 'vitest';
import { documentOf } from '../../page/document-text.ts';
import { fillSchema } from '../fill-schema.ts';
import type { FieldSchema } from '../schema/json-schema.ts';

const text: FieldSchema = { type: ['string', 'null'] };
const number: FieldSchema = { type: ['number', 'null'] };

function fill(page: string, properties: Record<string, FieldSchema>): unknown {
  return fillSchema({ type: 'object', properties }, documentOf('page', [{ page: 1, text: page }])).value;
}

describe('forms', () => {
  it('leaves a box empty when only the caption of the next box is beside it', () => {
    const page = `
First name        Last name         Date of birth
Priya                               3 May 1980
Employer          Occupation        City
                  Nurse             Denver`;
    expect(
      fill(page, {
        first_name: text,
        last_name: text,
        date_of_birth: text,
        employer: text,
        occupation: text,
        city: text,
      }),
    ).toEqual({
      first_name: 'Priya',
      last_name: null,
      date_of_birth: '1980-05-03',
      employer: null,
      occupation: 'Nurse',
      city: 'Denver',
    });
  });

  it('does not read the next heading as the value of a caption above its value', () => {
    const named = fill('Employer        Supervisor\nAlder Works     Ruth Low', {
      employer: text,
      supervisor_name: text,
    });
    expect(named).toEqual({ employer: 'Alder Works', supervisor_name: 'Ruth Low' });
    // The unknown words could be a heading or a value.
    expect(fill('Full name      Grumbledorf\nAnn Low        Soup', { full_name: text })).toEqual({ full_name: null });
    const page = 'City        Country\nLyon        France\n\nFull name   Grumbledorf\nAnn Low     Soup';
    expect(fill(page, { full_name: text, city: text })).toEqual({ full_name: 'Ann Low', city: 'Lyon' });
    const list = 'City        Lyon\nCountry     France\nFull name   Grumbledorf\nTwizzle     Soup';
    expect(fill(list, { full_name: text })).toEqual({ full_name: 'Grumbledorf' });
  });

  it('gives the value of a caption to the field with its name, not to one with a similar name', () => {
    const page =
      'Phone: 030 223344\nFax: 030 223355\nLast name: Low\nAddress       9 Mill Road\n              LS1 Leeds';
    expect(
      fill(page, {
        phone: text,
        work_phone: text,
        fax: text,
        last_name: text,
        last_name_of_spouse: text,
        address: text,
      }),
    ).toEqual({
      phone: '030 223344',
      work_phone: null,
      fax: '030 223355',
      last_name: 'Low',
      last_name_of_spouse: null,
      address: '9 Mill Road, LS1 Leeds',
    });
  });

  it('reads the choice whose box is ticked, and none when several or no boxes are', () => {
    const asked = { membership_type: text };
    expect(fill('Membership type   ☐ Family  ☒ Single', asked)).toEqual({ membership_type: 'Single' });
    expect(fill('Membership type   [x] Family  [ ] Single', asked)).toEqual({ membership_type: 'Family' });
    expect(fill('Membership type   ☐ Family  ☐ Single', asked)).toEqual({ membership_type: null });
  });

  it('does not read the next line of a list as the value of an empty caption', () => {
    const page = 'Nationality:\nMarital status: Single\nSmoker: yes';
    expect(fill(page, { nationality: text, marital_status: text })).toEqual({
      nationality: null,
      marital_status: 'Single',
    });
  });

  it('reads captions below the lines that people write on', () => {
    const page = `
Application

Victor                     Palmer
Forename                   Surname

27 Orchard Drive           Madison
Street and number          Town

0368 140724
Daytime phone`;
    expect(fill(page, { first_name: text, last_name: text, address: text, city: text, phone: text })).toEqual({
      first_name: 'Victor',
      last_name: 'Palmer',
      address: '27 Orchard Drive',
      city: 'Madison',
      phone: '0368 140724',
    });
  });

  it('recognizes captions of other languages', () => {
    const page = 'Cognome: Fontana\nStato civile: nubile\nNato/a il: 07/08/1982\nCellulare: 333 123 4567';
    expect(fill(page, { last_name: text, marital_status: text, date_of_birth: text, phone: text })).toEqual({
      last_name: 'Fontana',
      marital_status: 'nubile',
      date_of_birth: '1982-08-07',
      phone: '333 123 4567',
    });
  });

  it('finds a field by its description when its name means nothing', () => {
    const page = 'Arbeitgeber: Vogel AG\nRechnungsnummer: 4711-9\nLieblingsfarbe: blau';
    const described = (description: string): FieldSchema => ({ ...text, description });
    expect(
      fill(page, {
        a: described('Employer'),
        b: described("The invoice's number"),
        c: described('Lieblingsfarbe'),
        d: text,
      }),
    ).toEqual({ a: 'Vogel AG', b: '4711-9', c: 'blau', d: null });
  });

  it('reads the ticked one of yes and no', () => {
    const page = 'Smoker: ☐ Yes  ☒ No\nMember: [X] Yes [ ] No';
    const flag: FieldSchema = { type: ['boolean', 'null'] };
    expect(fill(page.replace('Yes  ☒', 'Yes ☒'), { smoker: flag, member: flag })).toEqual({
      smoker: false,
      member: true,
    });
  });

  it('prefers the caption with the same words among several with the same meaning', () => {
    const page = 'Home address: 1 Hill Road\nMailing address: PO Box 7, Denver';
    expect(fill(page, { mailing_address: text, home_address: text })).toEqual({
      mailing_address: 'PO Box 7, Denver',
      home_address: '1 Hill Road',
    });
  });

  it('does not read words as a phone number, or a sentence as a name', () => {
    const page = 'Phone\nnone\nEmergency contact\nPlease write in block letters only.';
    expect(fill(page, { phone: text, emergency_contact: text })).toEqual({ phone: null, emergency_contact: null });
  });
});

describe('items and sums by arithmetic', () => {
  const page = `
Atelier Nord
Viale dei Mille 38
37121 Verona

Zut        Plim             Krong      Vorb
3          Oak board        12,50      37,50
2          Brass hook        4,25       8,50

           Snu                         46,00
           Gla 22 %                    10,12
           Bof                         56,12`;

  it('finds rows in which a quantity times a price is an amount, whatever the headers are', () => {
    const items: FieldSchema = {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: text, quantity: number, unit_price: number, amount: number },
      },
    };
    expect(fill(page, { line_items: items })).toEqual({
      line_items: [
        { description: 'Oak board', quantity: 3, unit_price: 12.5, amount: 37.5 },
        { description: 'Brass hook', quantity: 2, unit_price: 4.25, amount: 8.5 },
      ],
    });
  });

  it('finds net, tax and gross that fit the rows, with unknown labels', () => {
    expect(fill(page, { subtotal: number, tax_amount: number, total: number })).toEqual({
      subtotal: 46,
      tax_amount: 10.12,
      total: 56.12,
    });
    expect(fill(page.replace('46,00', '47,00'), { subtotal: number, total: number })).toEqual({
      subtotal: null,
      total: null,
    });
  });

  it('does not read a street as a name', () => {
    expect(fill(page, { seller_name: text })).toEqual({ seller_name: 'Atelier Nord' });
  });

  it('reads fields that are named by a preposition, beside their captions and below them', () => {
    const beside = 'TO:         Ann Low          DATE:   7 May 2003\nFROM:       R. Stone\nRE:         Harbour dues';
    expect(fill(beside, { to: text, from: text })).toEqual({ to: 'Ann Low', from: 'R. Stone' });
    const below = 'To                      Date\nAnn Low                 7 May 2003\n\nCompany\nHarbour Board';
    expect(fill(below, { to: text, company: text })).toEqual({ to: 'Ann Low', company: 'Harbour Board' });
  });

  it('does not read a remark for the office as a value, and reads a name that ends with an abbreviation', () => {
    const page = 'APPROVER    FOR OFFICE USE ONLY\nMr. Tom Ford\n\nMatter:     In re Low Shipping Group et al.';
    expect(fill(page, { approver: text, matter: text })).toEqual({
      approver: 'Mr. Tom Ford',
      matter: 'In re Low Shipping Group et al.',
    });
  });

  it('reads the option with a cross before it in a list below its caption', () => {
    const page =
      'Kind of leave\n\n       Sick              Parental\n  X    Annual            Unpaid\n\nReason\n  Holiday';
    expect(fill(page, { kind_of_leave: text })).toEqual({ kind_of_leave: 'Annual' });
    expect(fill(page.replace('Sick', 'X Sick'), { kind_of_leave: text })).not.toEqual({ kind_of_leave: 'Annual' });
  });
});

it('reads values whose words are far apart or go on in the next line, and a name without the street beside it', () => {
  const text = { type: ['string', 'null'] };
  const fields = ['name_of_event', 'place', 'case_name', 'vendor', 'address'];
  const page = `
  NAME OF EVENT:        Harbour        Lights
  PLACE:                Hall 2                                        DATE: 1/24/97
  CASE NAME:            Ada Low and
                        Ben Low v. Mill Works
  ADDRESS: 12 Mill Road,
  Leeds, LS1 4AB
  VENDOR
  Northwind Research Laboratory 2748 Patterson Ave., Greensboro`;
  const schema = { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, text])) };
  expect(fillSchema(schema, documentOf('form.png', [{ page: 1, text: page }])).value).toEqual({
    name_of_event: 'Harbour Lights',
    place: 'Hall 2',
    case_name: 'Ada Low and Ben Low v. Mill Works',
    vendor: 'Northwind Research Laboratory',
    address: '12 Mill Road, Leeds, LS1 4AB',
  });
});
