import type { paperLabels } from './paper-labels.ts';
import type { tradeLabels } from './trade-labels.ts';

/** What a person would call a document. */
export type DocumentKind = keyof typeof tradeLabels | keyof typeof paperLabels;

const languages = ['de', 'fr', 'it', 'es', 'nl'] as const;
type NameLanguage = (typeof languages)[number];

/** What people call a kind in other languages than English. `kindNamed` knows each of these names. */
const names: Readonly<Record<DocumentKind, Readonly<Partial<Record<NameLanguage, string>>>>> = {
  invoice: { de: 'Rechnung', fr: 'Facture', it: 'Fattura', es: 'Factura', nl: 'Factuur' },
  credit_note: {
    de: 'Gutschrift',
    fr: 'Note de crédit',
    it: 'Nota di credito',
    es: 'Nota de crédito',
    nl: 'Creditnota',
  },
  receipt: { de: 'Quittung', fr: 'Reçu', it: 'Ricevuta', es: 'Recibo', nl: 'Kassabon' },
  quote: { de: 'Angebot', fr: 'Devis', it: 'Preventivo', es: 'Presupuesto', nl: 'Offerte' },
  purchase_order: {
    de: 'Bestellung',
    fr: 'Bon de commande',
    it: 'Ordine di acquisto',
    es: 'Orden de compra',
    nl: 'Bestelling',
  },
  order_confirmation: {
    de: 'Auftragsbestätigung',
    fr: 'Confirmation de commande',
    it: "Conferma d'ordine",
    es: 'Confirmación de pedido',
    nl: 'Orderbevestiging',
  },
  delivery_note: {
    de: 'Lieferschein',
    fr: 'Bon de livraison',
    it: 'Documento di trasporto',
    es: 'Albarán',
    nl: 'Pakbon',
  },
  payment_reminder: {
    de: 'Mahnung',
    fr: 'Rappel de paiement',
    it: 'Sollecito di pagamento',
    es: 'Recordatorio de pago',
    nl: 'Aanmaning',
  },
  bank_statement: {
    de: 'Kontoauszug',
    fr: 'Relevé de compte',
    it: 'Estratto conto',
    es: 'Extracto bancario',
    nl: 'Rekeningafschrift',
  },
  // The labels know no name of these statements in other languages.
  account_statement: { de: 'Kundenkontoauszug' },
  payslip: { de: 'Gehaltsabrechnung', fr: 'Bulletin de paie', it: 'Busta paga', es: 'Nómina', nl: 'Loonstrook' },
  expense_report: {
    de: 'Spesenabrechnung',
    fr: 'Note de frais',
    it: 'Nota spese',
    es: 'Nota de gastos',
    nl: 'Declaratieformulier',
  },
  contract: { de: 'Vertrag', fr: 'Contrat', it: 'Contratto', es: 'Contrato', nl: 'Overeenkomst' },
  letter: { de: 'Brief', fr: 'Lettre', it: 'Lettera', es: 'Carta', nl: 'Brief' },
  email: { de: 'E-Mail', fr: 'E-mail', it: 'E-mail', es: 'E-mail', nl: 'E-mail' },
  lab_report: {
    de: 'Laborbefund',
    fr: "Résultats d'analyses",
    it: 'Referto',
    es: 'Analítica',
    nl: 'Laboruitslag',
  },
  resume: { de: 'Lebenslauf', fr: 'CV', it: 'Curriculum vitae', es: 'Curriculum vitae', nl: 'CV' },
  minutes: { de: 'Protokoll', fr: 'Compte rendu', it: 'Verbale', es: 'Acta', nl: 'Notulen' },
  form: { de: 'Formular', fr: 'Formulaire', it: 'Modulo', es: 'Formulario', nl: 'Formulier' },
  certificate: { de: 'Bescheinigung', fr: 'Attestation', it: 'Certificato', es: 'Certificado', nl: 'Attest' },
  report: { de: 'Bericht', fr: 'Rapport', it: 'Rapporto', es: 'Informe', nl: 'Verslag' },
};

/** The name of a kind in the language of a BCP 47 tag; undefined for languages without names here. */
export function localNameOfKind(kind: DocumentKind, tag: string): string | undefined {
  const language = languages.find((known) => known === tag.toLowerCase().split('-')[0]);
  return language && names[kind][language];
}
