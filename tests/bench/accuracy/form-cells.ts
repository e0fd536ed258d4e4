import type { ExpectedCells } from './cell-score.ts';

/** Cells of the forms of the corpus, labelled by hand from the pages. */
export const formCells: Readonly<Record<string, readonly ExpectedCells[]>> = {
  'form_aws_employment.png': [
    {
      page: 1,
      rows: [
        ['Previous Employment History'],
        ['Start Date', 'End Date', 'Employer Name', 'Position Held', 'Reason for leaving'],
        ['1/15/2009', '6/30/2011', 'Any Company', 'Assistant Baker', 'Family relocated'],
        ['7/1/2011', '8/10/2013', 'Best Corp.', 'Baker', 'Better opportunity'],
        ['8/15/2013', 'present', 'Example Corp.', 'Head Baker', 'N/A, current employer'],
      ],
    },
  ],
  'form_aws_insurance.png': [
    {
      page: 1,
      rows: [
        ['Effective Date', '11/02/2021', 'Office Visit', '$55/0%'],
        ['Contract Code', 'XZ', 'Specialist Visit', '$65/0%'],
        ['Rx Be', '2035699', 'Oop Max', '$6000/$12000'],
        ['Rx Pcn', 'XZYZ', 'Coinsurance', '30%'],
        ['Plan', '050', 'Dad, Coins and Ov Time Apply'],
      ],
    },
  ],
  'form_goog_w2_2020.pdf': [
    {
      page: 1,
      boxes: {
        'a Employee’s social security number': '554-03-0876',
        'b Employer identification number (EIN)': '63-0065650',
        'c Employer’s name, address, and ZIP code': 'NORTH 312 151 N Market Street Wooster OH 44691',
        'd Control number': 'GNI851',
        'e Employee’s first name and initial': 'Anastasia',
        'Last name': 'Hodges',
        'Suff.': '',
        'f Employee’s address and ZIP code': '200 2nd Street NE Waseca MN 56093',
        '1 Wages, tips, other compensation': '23,677.70',
        '2 Federal income tax withheld': '2,841.32',
        '3 Social security wages': '24,410.00',
        '4 Social security tax withheld': '1,513.42',
        '5 Medicare wages and tips': '24,410.00',
        '6 Medicare tax withheld': '353.95',
        '7 Social security tips': '',
        '8 Allocated tips': '',
        '9': '',
        '10 Dependent care benefits': '',
        '11 Nonqualified plans': '',
        '12a See instructions for box 12 Code': 'C 2,929.20',
        '12b Code': '',
        '12c Code': '',
        '12d Code': '',
        'Statutory employee': '',
        'Retirement plan': '',
        'Third-party sick pay': '',
        '14 Other': '',
        '15 State': 'MN',
        'Employer’s state ID number': '00-0-0960',
        '16 State wages, tips, etc.': '24,410.00',
        '17 State income tax': '244.10',
        '18 Local wages, tips, etc.': '',
        '19 Local income tax': '',
        '20 Locality name': '',
      },
    },
  ],
};
