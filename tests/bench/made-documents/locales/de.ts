import type { Locale } from '../locale.ts';

export const german: Locale = {
  code: 'de',
  decimal: ',',
  group: '.',
  currency: { code: 'EUR', sign: '€', isBefore: false },
  dates: [
    ['DD.MM.YYYY', 'D. MMM YYYY'],
    ['D.M.YYYY', 'DD.MM.YY', 'DD. MMM YYYY'],
  ],
  months: [
    'Januar',
    'Februar',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'August',
    'September',
    'Oktober',
    'November',
    'Dezember',
  ],
  taxRates: [19, 7],
  companies: [
    ['Bergmann Bürobedarf GmbH', 'Druckerei Sonnenhof', 'Elektro Vogel e.K.', 'Malerbetrieb Krause GmbH'],
    ['Tischlerei Ahrens', 'Nordwind Logistik GmbH & Co. KG', 'Gartenbau Wiesental AG', 'Café Lindenblüte'],
  ],
  people: [
    ['Sabine Hartmann', 'Jürgen Weiß', 'Karin Schulze', 'Tobias Neumann'],
    ['Annegret Pohl', 'Stefan Brückner', 'Leonie Maurer', 'Uwe Dietrich'],
  ],
  streets: ['Lindenstraße 14', 'Am Alten Markt 3', 'Hauptstr. 211', 'Goethering 7a', 'Bahnhofplatz 2'],
  places: [
    ['50667', 'Köln'],
    ['04109', 'Leipzig'],
    ['79098', 'Freiburg'],
    ['24103', 'Kiel'],
  ],
  place: (code, city) => `${code} ${city}`,
  goods: [
    [
      'Ordner breit, grau',
      'Schreibtischlampe',
      'Druck Visitenkarten',
      'Kabelkanal 2 m',
      'Wandfarbe weiß 10 l',
      'Montage vor Ort',
    ],
    ['Eichenbrett geölt', 'Rollrasen je m²', 'Transport Stückgut', 'Käsekuchen', 'Filterkaffee', 'Wartung Heizung'],
  ],
  sentences: [
    'Bitte überweisen Sie den Betrag unter Angabe der Rechnungsnummer.',
    'Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum.',
    'Es gelten unsere Allgemeinen Geschäftsbedingungen.',
  ],
  labels: {
    invoice: [
      ['Rechnung', 'RECHNUNG'],
      ['Ihre Rechnung', 'Faktura'],
    ],
    number: [
      ['Rechnungsnummer', 'Rechnungs-Nr.'],
      ['Rg.-Nr.', 'Belegnummer', 'Re-Nr.'],
    ],
    date: [
      ['Rechnungsdatum', 'Datum'],
      ['Ausgestellt am', 'Belegdatum', 'Rg.-Datum'],
    ],
    due: [
      ['Fällig am', 'Zahlbar bis'],
      ['Fälligkeit', 'Zahlungsziel', 'Zu zahlen bis'],
    ],
    customer: [
      ['Kundennummer', 'Kunden-Nr.'],
      ['Kd.-Nr.', 'Debitor'],
    ],
    order: [
      ['Bestellnummer', 'Ihre Bestellung'],
      ['Auftragsnummer', 'Best.-Nr.'],
    ],
    buyer: [
      ['Rechnungsempfänger', 'Kunde'],
      ['Rechnung an', 'Auftraggeber'],
    ],
    delivery: [['Lieferanschrift'], ['Lieferung an', 'Lieferadresse']],
    description: [
      ['Bezeichnung', 'Beschreibung'],
      ['Artikel', 'Leistung', 'Text'],
    ],
    quantity: [
      ['Menge', 'Anzahl'],
      ['Mge.', 'Stück', 'Anz.'],
    ],
    price: [
      ['Einzelpreis', 'Preis'],
      ['E-Preis', 'Preis/Einh.', 'Stückpreis'],
    ],
    amount: [
      ['Gesamt', 'Betrag'],
      ['Gesamtpreis', 'Summe', 'G-Preis'],
    ],
    code: [
      ['Art.-Nr.', 'Pos.'],
      ['Artikelnr.', 'Code'],
    ],
    subtotal: [
      ['Nettobetrag', 'Zwischensumme'],
      ['Summe netto', 'Warenwert netto', 'Netto'],
    ],
    tax: [
      ['MwSt.', 'Umsatzsteuer'],
      ['USt.', 'zzgl. MwSt.', 'Mehrwertsteuer'],
    ],
    total: [
      ['Gesamtbetrag', 'Rechnungsbetrag'],
      ['Endbetrag', 'Bruttobetrag', 'Zahlbetrag'],
    ],
    phone: [
      ['Tel.', 'Telefon'],
      ['Fon', 'Ruf'],
    ],
    vat_id: [['USt-IdNr.'], ['UID']],
    thanks: [['Vielen Dank für Ihren Einkauf'], ['Wir danken für Ihren Besuch']],
    receipt: [
      ['Quittung', 'Kassenbon'],
      ['Barbeleg', 'Kundenbeleg'],
    ],
    receipt_number: [
      ['Bon-Nr.', 'Beleg-Nr.'],
      ['Bon', 'Quittungsnr.'],
    ],
    cashier: [
      ['Kassierer', 'Bediener'],
      ['Es bediente Sie', 'Kasse'],
    ],
    cash: [
      ['Bar', 'Gegeben'],
      ['Barzahlung', 'Geg. Bar'],
    ],
    change: [
      ['Rückgeld', 'Zurück'],
      ['Wechselgeld', 'Rückgeld bar'],
    ],
    card: [
      ['EC-Karte', 'girocard'],
      ['Kartenzahlung', 'Maestro'],
    ],
  },
  formTitles: [
    ['Bewerbungsbogen', 'Aufnahmebogen für Patienten'],
    ['Antrag auf Versicherung', 'Mitgliedsantrag'],
  ],
  captions: {
    first_name: [['Vorname'], ['Vorname(n)', 'Rufname']],
    last_name: [['Nachname'], ['Familienname', 'Zuname']],
    date_of_birth: [['Geburtsdatum'], ['Geboren am', 'geb. am']],
    address: [['Straße, Hausnummer'], ['Anschrift', 'Straße und Nr.']],
    city: [['Ort'], ['Wohnort', 'Stadt']],
    postal_code: [['PLZ'], ['Postleitzahl']],
    phone: [['Telefon'], ['Telefonnummer', 'Rufnummer']],
    email: [['E-Mail'], ['E-Mail-Adresse']],
    nationality: [['Staatsangehörigkeit'], ['Nationalität', 'Staatsbürgerschaft']],
    marital_status: [['Familienstand'], ['Personenstand']],
    occupation: [['Beruf'], ['Ausgeübter Beruf', 'Tätigkeit']],
    employer: [['Arbeitgeber'], ['Derzeitiger Arbeitgeber', 'Beschäftigt bei']],
    annual_income: [['Jahreseinkommen'], ['Bruttojahreseinkommen', 'Einkommen im Jahr']],
    start_date: [['Beginn'], ['Versicherungsbeginn', 'Verfügbar ab']],
    policy_number: [['Versicherungsnummer'], ['Policennummer', 'Vertragsnummer']],
    insured_amount: [['Versicherungssumme'], ['Deckungssumme']],
    vehicle_model: [['Fahrzeugmodell'], ['Fahrzeug (Marke, Typ)']],
    license_plate: [['Kennzeichen'], ['Amtliches Kennzeichen']],
    smoker: [['Raucher'], ['Rauchen Sie?']],
    emergency_contact: [['Notfallkontakt'], ['Im Notfall zu benachrichtigen']],
  },
  yesNo: ['Ja', 'Nein'],
  nationalities: ['deutsch', 'österreichisch', 'polnisch'],
  maritalStates: ['ledig', 'verheiratet', 'geschieden'],
  occupations: ['Krankenpflegerin', 'Elektriker', 'Buchhalter', 'Lehrerin'],
};
