import type { Locale } from '../locale.ts';

export const italian: Locale = {
  code: 'it',
  decimal: ',',
  group: '.',
  currency: { code: 'EUR', sign: '€', isBefore: true },
  dates: [
    ['DD/MM/YYYY', 'D MMM YYYY'],
    ['DD-MM-YYYY', 'DD.MM.YYYY', 'D/M/YYYY'],
  ],
  months: [
    'gennaio',
    'febbraio',
    'marzo',
    'aprile',
    'maggio',
    'giugno',
    'luglio',
    'agosto',
    'settembre',
    'ottobre',
    'novembre',
    'dicembre',
  ],
  taxRates: [22, 10, 4],
  companies: [
    ['Cartoleria Bellini S.r.l.', 'Tipografia San Marco', 'Ferramenta Rossetti', 'Edilizia Monti S.p.A.'],
    ['Falegnameria Conti', 'Trasporti Adriatica S.r.l.', 'Vivaio La Quercia', 'Libreria del Porto'],
  ],
  people: [
    ['Giulia Ferraro', 'Marco Santoro', 'Elena Galli', 'Paolo Rinaldi'],
    ['Chiara Fontana', 'Luca Barbieri', 'Francesca Sala', 'Davide Moretti'],
  ],
  streets: ['Via Garibaldi 21', 'Corso Italia, 114', 'Piazza Dante 5', 'Viale dei Mille 38', 'Via del Mare 9/B'],
  places: [
    ['40121', 'Bologna'],
    ['16121', 'Genova'],
    ['37121', 'Verona'],
    ['70121', 'Bari'],
  ],
  place: (code, city) => `${code} ${city}`,
  goods: [
    [
      'Carta da lettere',
      'Lampada da tavolo',
      'Stampa manifesti',
      'Vernice bianca 10 l',
      'Manodopera',
      'Cavo elettrico 5 m',
    ],
    [
      'Mensola in rovere',
      'Manutenzione caldaia',
      'Consegna bancale',
      'Cappuccino',
      'Terriccio 40 l',
      'Romanzo tascabile',
    ],
  ],
  sentences: [
    'Si prega di indicare il riferimento nel pagamento.',
    'La merce resta di nostra proprietà fino al saldo.',
    'Contributo ambientale assolto ove dovuto.',
  ],
  labels: {
    invoice: [
      ['Fattura', 'FATTURA'],
      ['Fattura di vendita', 'Fattura accompagnatoria'],
    ],
    number: [
      ['Fattura n.', 'Numero fattura'],
      ['N. documento', 'Fatt. nr.', 'Numero'],
    ],
    date: [
      ['Data', 'Data fattura'],
      ['Data documento', 'Emessa il', 'Del'],
    ],
    due: [
      ['Scadenza', 'Data scadenza'],
      ['Da pagare entro', 'Pagamento entro il', 'Scad.'],
    ],
    customer: [
      ['Codice cliente', 'N. cliente'],
      ['Cod. cliente', 'Rif. cliente'],
    ],
    order: [
      ['Ordine n.', 'Numero ordine'],
      ['Vostro ordine', 'Rif. ordine'],
    ],
    buyer: [
      ['Cliente', 'Intestata a'],
      ['Spett.le', 'Destinatario', 'Fatturare a'],
    ],
    delivery: [['Consegna a'], ['Luogo di destinazione', 'Spedire a']],
    description: [
      ['Descrizione', 'Articolo'],
      ['Prodotto', 'Prestazione', 'Voce'],
    ],
    quantity: [
      ['Quantità', 'Q.tà'],
      ['Qta', 'Nr.', 'Pezzi'],
    ],
    price: [
      ['Prezzo unitario', 'Prezzo'],
      ['Prezzo un.', 'Tariffa', 'P. unitario'],
    ],
    amount: [
      ['Importo', 'Totale'],
      ['Imp. netto', 'Totale riga', 'Valore'],
    ],
    code: [
      ['Codice', 'Cod.'],
      ['Cod. art.', 'Rif.'],
    ],
    subtotal: [
      ['Imponibile', 'Subtotale'],
      ['Totale imponibile', 'Netto', 'Totale merce'],
    ],
    tax: [
      ['IVA', 'Importo IVA'],
      ['Imposta', 'Totale IVA', 'I.V.A.'],
    ],
    total: [
      ['Totale fattura', 'Totale'],
      ['Totale da pagare', 'Totale documento', 'Netto a pagare'],
    ],
    phone: [
      ['Tel.', 'Telefono'],
      ['Tel', 'Recapito'],
    ],
    vat_id: [['P. IVA'], ['Partita IVA']],
    thanks: [['Grazie e arrivederci'], ['Grazie per la visita']],
    receipt: [
      ['Scontrino', 'RICEVUTA'],
      ['Documento commerciale', 'Ricevuta fiscale'],
    ],
    receipt_number: [
      ['Scontrino n.', 'Ricevuta n.'],
      ['Doc. n.', 'Nr. doc.'],
    ],
    cashier: [
      ['Cassiere', 'Operatore'],
      ['Cassa', 'Servito da'],
    ],
    cash: [
      ['Contanti', 'Contante'],
      ['Pagato contanti', 'Ricevuto'],
    ],
    change: [
      ['Resto', 'Resto contanti'],
      ['Da restituire', 'Resto dovuto'],
    ],
    card: [
      ['Bancomat', 'Carta di credito'],
      ['Pagamento elettronico', 'Carta'],
    ],
  },
  formTitles: [
    ['Domanda di assunzione', 'Scheda paziente'],
    ['Richiesta di assicurazione', 'Domanda di iscrizione'],
  ],
  captions: {
    first_name: [['Nome'], ['Nome di battesimo', 'Nome (i)']],
    last_name: [['Cognome'], ['Cognome da nubile o celibe', 'Cognome del richiedente']],
    date_of_birth: [['Data di nascita'], ['Nato/a il', 'Nascita']],
    address: [['Indirizzo'], ['Via e numero', 'Residenza']],
    city: [['Città'], ['Comune', 'Località']],
    postal_code: [['CAP'], ['Codice postale', 'C.A.P.']],
    phone: [['Telefono'], ['Numero di telefono', 'Cellulare']],
    email: [['E-mail'], ['Indirizzo e-mail', 'Posta elettronica']],
    nationality: [['Nazionalità'], ['Cittadinanza']],
    marital_status: [['Stato civile'], ['Situazione familiare']],
    occupation: [['Professione'], ['Mestiere', 'Occupazione attuale']],
    employer: [['Datore di lavoro'], ['Azienda', 'Impiegato presso']],
    annual_income: [['Reddito annuo'], ['Reddito annuale lordo', 'Stipendio annuo']],
    start_date: [['Data di inizio'], ['Decorrenza', 'Disponibile dal']],
    policy_number: [['Numero di polizza'], ['Polizza n.', 'N. contratto']],
    insured_amount: [['Somma assicurata'], ['Capitale assicurato', 'Massimale']],
    vehicle_model: [['Modello del veicolo'], ['Marca e modello']],
    license_plate: [['Targa'], ['Targa del veicolo']],
    smoker: [['Fumatore'], ['Lei fuma?']],
    emergency_contact: [['Contatto di emergenza'], ['In caso di emergenza avvisare']],
  },
  yesNo: ['Sì', 'No'],
  nationalities: ['italiana', 'svizzera', 'albanese'],
  maritalStates: ['nubile', 'coniugato', 'divorziata'],
  occupations: ['Infermiera', 'Idraulico', 'Ragioniere', 'Insegnante'],
};
