import { of } from './varied-world.ts';

/** A value that is stated as that of another field, and true sentences with the same words. */
export const wronglyCalled = [
  ...of(
    'en',
    [
      'The invoice of Kestrel was issued on 3 January 2026 and is due on 1 February 2026 [[kd]][[kdue]].',
      'Brightwater charges 19 % VAT [[bv]].',
      'Brightwater billed 1,280.00 EUR including VAT [[b1]].',
      'Vantage Lifts’ contract ends on 31 January 2027 [[eo]].',
    ],
    [
      'The invoice of Kestrel was issued on 1 February 2026 [[kdue]].',
      'VAT of 1,280.00 EUR was charged by Brightwater [[b1]].',
      'Brightwater’s discount is 19 % [[bv]].',
      'We got a refund of 4,870.50 GBP from Kestrel [[k1]].',
    ],
  ),
  ...of(
    'de',
    [
      'Die Rechnung von Kestrel ist am 1. Februar 2026 fällig [[kdue]].',
      'Brightwater stellte 1.280 EUR inkl. MwSt. in Rechnung [[b1]].',
    ],
    [
      'Die Rechnung von Kestrel ist am 3. Januar 2026 fällig [[kd]].',
      'Der Vertrag mit Vantage Lifts beginnt am 31. Januar 2027 [[eo]].',
    ],
  ),
  ...of('fr', [], ['Nordlicht nous a remboursé 3 311,45 CHF [[n1]].']),
  ...of('es', [], ['Brightwater nos hizo un descuento de 1.280 EUR [[b1]].']),
];
