/**
 * Words of fields and labels with the same meaning, in en, de, fr, it, es and nl, without accents. A word of five letters or more is
 * also found in a compound: `rechnung` in `Rechnungsnummer`. Shorter ones are whole words.
 */
const meanings = {
  number:
    'no nr num number nummer numero nro id code ref reference referenz referentie referenza riferimento referencia kennung kenmerk codice codigo identification identifier',
  date: 'date datum data fecha dated vom giorno',
  amount: 'amount betrag montant importe importo bedrag sum summe value wert valor price preis prix',
  total:
    'total totale totaal gesamt gesamtbetrag grand endbetrag endsumme zahlbetrag rechnungsbetrag insgesamt brutto gross ttc bruttobetrag gessamt',
  name: 'name nom nombre nome naam',
  invoice: 'invoice inv rechnung facture fattura factura factuur bill beleg',
  receipt: 'receipt quittung kassenbon recu scontrino ricevuta recibo kassabon bon ticket transaction trans',
  document: 'document doc documento issue issued emission ausstellung emitted',
  order: 'order bestell auftrag commande ordine pedido bestel po purchase',
  customer: 'customer client kunde kunden cliente klant debitor cust kd account',
  buyer:
    'buyer purchaser recipient kaufer acheteur acquirente comprador koper empfanger destinataire destinatario customer client kunde cliente klant billto soldto invoiceto',
  issuer:
    'seller supplier vendor merchant store shop company issuer lieferant verkaufer vendeur fournisseur venditore fornitore vendedor proveedor verkoper leverancier firma business restaurant retailer biller payee creditor',
  due: 'due remit fallig falligkeit zahlbar echeance scadenza vencimiento vervaldatum deadline payable payby zahlungsziel payer pagare pagar betalen zahlen regler',
  delivery: 'delivery delivered shipping ship liefer lieferung leistung livraison consegna entrega levering leverdatum',
  net: 'net netto nett subtotal zwischensumme nettobetrag warenwert imponibile subtotale subtotaal ht sous untaxed excl exclusief exkl base',
  tax: 'tax vat gst mwst ust steuer umsatzsteuer mehrwertsteuer tva iva btw taxe taxes imposta impuesto hst sst',
  discount: 'discount rabatt remise sconto descuento korting skonto',
  change: 'change ruckgeld wechselgeld monnaie rendu resto cambio wisselgeld zuruck',
  cash: 'cash tendered bar gegeben especes contanti efectivo contant',
  tip: 'tip gratuity trinkgeld pourboire mancia propina fooi',
  paid: 'paid deposit prepaid bezahlt anzahlung acompte acconto anticipo betaald verse payment vorauszahlung',
  balance: 'balance saldo solde',
  rounding: 'rounding rundung arrondi',
  birth: 'birth born geburt geboren dob naissance nascita nacimiento geboorte',
  start: 'start begin beginn effective from debut inizio inicio ingang commencement',
  end: 'end expiry expires expiration expiring ende fin fine valid ablauf termination einde',
  period: 'period zeitraum periode periodo abrechnungszeitraum',
  address: 'address adresse anschrift indirizzo direccion domicilio adres strasse street rue',
  city: 'city town ort wohnort ville citta ciudad plaats stad',
  postcode: 'zip postcode plz postleitzahl postal cap',
  country: 'country land pays paese pais',
  phone: 'phone telephone tel telefon telefono mobile handy cell fon',
  mail: 'email mail courriel',
  first: 'first given forename vorname prenom voornaam',
  last: 'last surname family nachname familienname cognome apellido apellidos achternaam',
  member: 'member mitglied membre membro socio insured subscriber versicherter',
  patient: 'patient paziente paciente',
  employee: 'employee mitarbeiter arbeitnehmer salarie dipendente empleado werknemer',
  employer: 'employer arbeitgeber employeur datore empleador werkgever',
  contract: 'contract agreement vertrag contrat contratto contrato policy police polizza poliza group',
  year: 'year jahr annee anno jaar exercice',
  bank: 'bank banque banca banco kreditinstitut',
  ssn: 'ssn socialsecurity',
  iban: 'iban',
  bic: 'bic swift',
  currency: 'currency wahrung devise valuta moneda munt',
  weight: 'weight gewicht poids peso',
  quantity: 'quantity qty menge anzahl quantite quantita cantidad aantal',
  plan: 'plan tarif',
} as const;

/** What a word of a field's name or of a label means. */
export type Meaning = keyof typeof meanings;

/** Meanings of a kind of value, which many fields share. */
export const kinds: ReadonlySet<Meaning> = new Set(['number', 'date', 'amount', 'name']);

const minPart = 5;

const exact = new Map<string, Meaning[]>();
const parts: [string, Meaning][] = [];
for (const [meaning, words] of Object.entries(meanings) as [Meaning, string][]) {
  for (const word of words.split(' ')) {
    exact.set(word, [...(exact.get(word) ?? []), meaning]);
    if (word.length >= minPart) parts.push([word, meaning]);
  }
}

/** Letters without accents and case. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

/** Longer words are not names of fields. */
const maxWord = 40;
const known = new Map<string, readonly Meaning[]>();
const maxKnown = 20_000;

/** A word with what it means, or two that mean what they do as one: `sub total`. */
export interface MeantWord {
  word: string;
  /** None for most words. */
  meanings: readonly Meaning[];
}

/** What the words of a text mean, in their order. */
export function meantWords(words: readonly string[]): MeantWord[] {
  const found: MeantWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const joined = `${word}${words[at + 1] ?? ''}`;
    const meanings = joined === word ? undefined : exact.get(joined);
    if (meanings) at += 1;
    found.push(meanings ? { word: joined, meanings } : { word, meanings: meaningsOf(word) });
  }
  return found;
}

function meaningsOf(word: string): readonly Meaning[] {
  if (word.length > maxWord) return [];
  const kept = exact.get(word) ?? known.get(word);
  if (kept) return kept;
  const found = new Set<Meaning>();
  if (word.length > minPart) for (const [part, meaning] of parts) if (word.includes(part)) found.add(meaning);
  if (known.size >= maxKnown) known.clear();
  const list = [...found];
  known.set(word, list);
  return list;
}

/** The words of a text, folded; `invoiceDate` has two, and `P.O.` is one. */
export function wordsIn(text: string): string[] {
  const apart = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(?<=(?:^|[^\p{L}])\p{L})\.(?=\p{L}(?:[^\p{L}]|$))/gu, '');
  return fold(apart).match(/[\p{L}\p{N}]+/gu) ?? [];
}
