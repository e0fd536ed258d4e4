import type { Concept } from './concept.ts';
import { labelPattern } from './label.ts';

/** Amounts of a payment, which receipts print below the totals. Languages: en, de, fr, it, es, nl. */
export const paymentConcepts: readonly Concept[] = [
  {
    name: 'tip',
    kind: 'amount',
    field: /^(?:tip|gratuity)(?: amount)?$/u,
    labels: labelPattern(['tip', 'gratuity', 'trinkgeld', 'service charge', 'pourboire']),
  },
  {
    name: 'cash',
    kind: 'amount',
    field: /^(?:cash|tendered|amount tendered|cash (?:paid|tendered))$/u,
    labels: labelPattern([
      '(?:paid )?cash',
      'tendered',
      'amount tendered',
      'bar(?:zahlung)?',
      'gegeben',
      '(?:recu )?especes',
      'donne',
      'contant',
      'contant[ei]',
      'pagato contanti',
      'ricevuto',
      '(?:pago en )?efectivo',
      'entregado',
      'recibido',
      'geg(?:eben)? bar',
      'bar bezahlt',
    ]),
  },
  {
    name: 'change',
    kind: 'amount',
    field: /^(?:change|change due)$/u,
    labels: labelPattern([
      '(?:your )?change(?: due| given)?',
      'ruckgeld(?: bar)?',
      'zuruck',
      'monnaie(?: rendue)?',
      'rendu monnaie',
      'a rendre',
      'da restituire',
      'resto (?:dovuto|contanti)',
      '(?:su )?cambio',
      'devolucion',
      'a devolver',
      'vuelto',
      'wechselgeld',
      'rendu',
      'resto',
      'cambio',
      'wisselgeld',
    ]),
  },
];
