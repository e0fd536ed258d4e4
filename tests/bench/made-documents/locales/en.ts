import type { Locale } from '../locale.ts';

export const english: Locale = {
  code: 'en',
  decimal: '.',
  group: ',',
  currency: { code: 'USD', sign: '$', isBefore: true },
  dates: [
    ['MM/DD/YYYY', 'MMM D, YYYY', 'YYYY-MM-DD'],
    ['M/D/YYYY', 'D MMM YYYY', 'MMM DD, YYYY'],
  ],
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  taxRates: [7.25, 8, 6.5, 10],
  companies: [
    ['Harbor Lane Supply Co.', 'Northgate Printing LLC', 'Maple & Finch Hardware', 'Silverline Catering Inc.'],
    ['Cobalt Bridge Media Ltd', 'Old Mill Garden Center', 'Fairweather Plumbing Corp.', 'Juniper Street Books'],
  ],
  people: [
    ['Eleanor Whitfield', 'Marcus Doyle', 'Priya Raman', 'Thomas Okafor'],
    ['Grace Lindqvist', 'Samuel Ortega', 'Hannah Becket', 'Victor Palmer'],
  ],
  streets: [
    '1420 Juniper Street',
    '88 Canal Road, Suite 4',
    '305 W 9th Avenue',
    '27 Orchard Drive',
    '6150 Lakeview Blvd',
  ],
  places: [
    ['80205', 'Denver, CO'],
    ['97214', 'Portland, OR'],
    ['53703', 'Madison, WI'],
    ['27601', 'Raleigh, NC'],
  ],
  place: (code, city) => `${city} ${code}`,
  goods: [
    [
      'Desk lamp, brass',
      'Copy paper A4 80g',
      'Wireless keyboard',
      'Window cleaning',
      'Garden hose 25 m',
      'Paint roller set',
    ],
    [
      'Oak shelf board',
      'Monthly maintenance',
      'Stainless bolts M8',
      'Poster printing',
      'Consulting, onsite',
      'LED tube 120 cm',
    ],
  ],
  sentences: [
    'Please quote the reference above with every payment.',
    'Goods remain our property until they have been paid in full.',
    'Interest of 1.5 % a month is charged on late payments.',
  ],
  labels: {
    invoice: [
      ['INVOICE', 'Invoice'],
      ['Sales Invoice', 'TAX INVOICE'],
    ],
    number: [
      ['Invoice No.', 'Invoice #', 'Invoice Number'],
      ['Inv. No', 'Document number', 'Invoice ID'],
    ],
    date: [
      ['Invoice Date', 'Date'],
      ['Issued', 'Date of issue', 'Billing date'],
    ],
    due: [
      ['Due Date', 'Payment due'],
      ['Pay by', 'Due on', 'Payable until'],
    ],
    customer: [
      ['Customer No.', 'Account Number'],
      ['Client ID', 'Cust. no.'],
    ],
    order: [
      ['PO Number', 'Purchase Order'],
      ['Your order', 'P.O. #'],
    ],
    buyer: [
      ['Bill To', 'Sold to'],
      ['Billed to', 'Customer', 'Invoice to'],
    ],
    delivery: [['Ship To'], ['Deliver to', 'Delivery address']],
    description: [
      ['Description', 'Item'],
      ['Product', 'Details', 'Article'],
    ],
    quantity: [
      ['Qty', 'Quantity'],
      ['Units', 'Pcs', 'QTY.'],
    ],
    price: [
      ['Unit Price', 'Price'],
      ['Rate', 'Price each', 'Unit cost'],
    ],
    amount: [
      ['Amount', 'Total'],
      ['Line total', 'Net amount', 'Sum'],
    ],
    code: [
      ['Item no.', 'SKU'],
      ['Code', 'Art. no.'],
    ],
    subtotal: [
      ['Subtotal', 'Sub-total'],
      ['Net total', 'Total before tax', 'Goods total'],
    ],
    tax: [
      ['Sales tax', 'Tax'],
      ['VAT', 'State tax', 'Tax amount'],
    ],
    total: [
      ['Total', 'Total Due'],
      ['Amount due', 'Grand total', 'Invoice total'],
    ],
    phone: [
      ['Phone', 'Tel.'],
      ['Call us', 'Telephone'],
    ],
    vat_id: [['Tax ID'], ['EIN']],
    thanks: [['Thank you for your business!'], ['Thanks for shopping with us']],
    receipt: [
      ['RECEIPT', 'Sales receipt'],
      ['Cash receipt', 'Customer copy'],
    ],
    receipt_number: [
      ['Receipt #', 'Trans'],
      ['Check no.', 'Ticket'],
    ],
    cashier: [
      ['Cashier', 'Clerk'],
      ['Served by', 'Operator'],
    ],
    cash: [
      ['Cash', 'Cash tendered'],
      ['Paid cash', 'Tendered'],
    ],
    change: [
      ['Change', 'Change due'],
      ['Your change', 'Change given'],
    ],
    card: [
      ['VISA', 'Debit card'],
      ['Mastercard', 'Card payment'],
    ],
  },
  formTitles: [
    ['Application for employment', 'Patient registration'],
    ['Insurance enrolment form', 'Membership application'],
  ],
  captions: {
    first_name: [['First name'], ['Given name', 'Forename']],
    last_name: [['Last name'], ['Surname', 'Family name']],
    date_of_birth: [['Date of birth'], ['Birth date', 'Born on']],
    address: [['Street address'], ['Home address', 'Street and number']],
    city: [['City'], ['Town', 'City / Town']],
    postal_code: [['ZIP code'], ['Postal code', 'ZIP']],
    phone: [['Phone number'], ['Telephone', 'Daytime phone']],
    email: [['E-mail address'], ['Email']],
    nationality: [['Nationality'], ['Citizenship']],
    marital_status: [['Marital status'], ['Family status']],
    occupation: [['Occupation'], ['Current job title', 'Profession']],
    employer: [['Employer'], ['Name of employer', 'Employed by']],
    annual_income: [['Annual income'], ['Yearly income', 'Gross income per year']],
    start_date: [['Start date'], ['Available from', 'Coverage begins']],
    policy_number: [['Policy number'], ['Policy no.', 'Contract number']],
    insured_amount: [['Insured amount'], ['Sum insured', 'Coverage amount']],
    vehicle_model: [['Vehicle model'], ['Make and model']],
    license_plate: [['License plate'], ['Plate number', 'Registration plate']],
    smoker: [['Smoker'], ['Do you smoke?']],
    emergency_contact: [['Emergency contact'], ['In case of emergency notify']],
  },
  yesNo: ['Yes', 'No'],
  nationalities: ['Canadian', 'Irish', 'American', 'Indian'],
  maritalStates: ['Single', 'Married', 'Divorced'],
  occupations: ['Electrician', 'Nurse', 'Accountant', 'Teacher'],
};
