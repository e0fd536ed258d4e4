import type { Vendor } from './vendor.ts';

export type AnswerKind = 'name' | 'day' | 'money' | 'count' | 'code' | 'phone' | 'words' | 'street' | 'company';

/** A question of a form: its English field name, the printed text, and the description in a schema. */
type Question = readonly [field: string, kind: AnswerKind, printed: string, described: string];

export interface Questionnaire {
  title: string;
  questions: readonly Question[];
}

const patient = (title: string, words: readonly (readonly [string, string])[]): Questionnaire =>
  questionnaireOf(title, words, [
    ['patient_name', 'name'],
    ['birth_date', 'day'],
    ['insurance_company', 'company'],
    ['insurance_number', 'code'],
    ['family_doctor', 'name'],
    ['allergies', 'words'],
    ['weight_kg', 'count'],
    ['last_visit', 'day'],
    ['contact_phone', 'phone'],
    ['medication', 'words'],
  ]);

const tenant = (title: string, words: readonly (readonly [string, string])[]): Questionnaire =>
  questionnaireOf(title, words, [
    ['applicant', 'name'],
    ['current_address', 'street'],
    ['move_in_date', 'day'],
    ['monthly_rent', 'money'],
    ['number_of_persons', 'count'],
    ['profession', 'words'],
    ['net_income', 'money'],
    ['landlord', 'company'],
    ['contract_reference', 'code'],
    ['guarantor', 'name'],
  ]);

function questionnaireOf(
  title: string,
  words: readonly (readonly [string, string])[],
  fields: readonly (readonly [string, AnswerKind])[],
): Questionnaire {
  return { title, questions: fields.map(([field, kind], index) => [field, kind, ...words[index]!]) };
}

export const questionnaires: Readonly<Record<Vendor['language'], readonly [Questionnaire, Questionnaire]>> = {
  en: [
    patient('New patient record', [
      ['Patient', 'Name of the patient'],
      ['Born', 'Date of birth'],
      ['Insured with', 'Insurance company'],
      ['Membership no.', 'Insurance membership number'],
      ['GP', 'Family doctor'],
      ['Known allergies', 'Allergies'],
      ['Weight (kg)', 'Weight in kg'],
      ['Last seen on', 'Last visit'],
      ['Daytime contact no.', 'Phone number'],
      ['Current medication', 'Medication taken'],
    ]),
    tenant('Tenancy enquiry', [
      ['Prospective tenant', 'Name of the tenant'],
      ['Living at', 'Current address'],
      ['Wants to move in', 'Move-in date'],
      ['Rent per month', 'Monthly rent'],
      ['Persons in household', 'Number of persons'],
      ['Works as', 'Profession'],
      ['Take-home pay', 'Net income'],
      ['Present landlord', 'Landlord'],
      ['File ref.', 'Contract reference'],
      ['Guarantor', 'Name of the guarantor'],
    ]),
  ],
  de: [
    patient('Anmeldung neuer Patienten', [
      ['Patient/in', 'Name des Patienten'],
      ['Geb.-Datum', 'Geburtsdatum'],
      ['Krankenkasse', 'Name der Krankenkasse'],
      ['Versicherten-Nr.', 'Nummer des Versicherten'],
      ['Hausarzt', 'Name des Hausarztes'],
      ['Unverträglichkeiten', 'Allergien und Unverträglichkeiten'],
      ['Gewicht in kg', 'Gewicht'],
      ['Zuletzt hier am', 'Letzter Besuch'],
      ['Erreichbar unter', 'Telefonnummer, unter der man erreichbar ist'],
      ['Dauermedikation', 'Medikation'],
    ]),
    tenant('Selbstauskunft Mietinteressenten', [
      ['Mietinteressent', 'Name des Interessenten'],
      ['Derzeit wohnhaft', 'Derzeitige Anschrift'],
      ['Einzug gewünscht zum', 'Gewünschter Einzug'],
      ['Kaltmiete', 'Miete im Monat'],
      ['Personen im Haushalt', 'Anzahl Personen'],
      ['Ausgeübter Beruf', 'Beruf'],
      ['Nettoeinkommen mtl.', 'Nettoeinkommen'],
      ['Bisheriger Vermieter', 'Vermieter'],
      ['Aktenzeichen', 'Zeichen der Akte'],
      ['Bürge', 'Name des Bürgen'],
    ]),
  ],
  fr: [
    patient('Fiche nouveau patient', [
      ['Patient(e)', 'Nom du patient'],
      ['Né(e) le', 'Date de naissance'],
      ['Mutuelle', 'Nom de la mutuelle'],
      ["N° d'adhérent", "Numéro d'adhérent"],
      ['Médecin traitant', 'Nom du médecin'],
      ['Allergies connues', 'Allergies'],
      ['Poids (kg)', 'Poids'],
      ['Dernière consultation', 'Date de la dernière consultation'],
      ['Joignable au', 'Téléphone où le patient est joignable'],
      ['Traitement en cours', 'Traitement'],
    ]),
    tenant('Dossier de location', [
      ['Candidat locataire', 'Nom du candidat'],
      ['Adresse actuelle', 'Adresse du candidat'],
      ['Entrée souhaitée', "Date d'entrée"],
      ['Loyer mensuel', 'Loyer'],
      ['Nombre d’occupants', 'Nombre de personnes'],
      ['Activité professionnelle', 'Activité'],
      ['Revenus nets mensuels', 'Revenus nets'],
      ['Bailleur actuel', 'Nom du bailleur'],
      ['Réf. dossier', 'Référence du dossier'],
      ['Garant', 'Nom du garant'],
    ]),
  ],
  it: [
    patient('Scheda nuovo paziente', [
      ['Paziente', 'Nome del paziente'],
      ['Nato/a il', 'Data di nascita'],
      ['Assicurazione', 'Compagnia di assicurazione'],
      ['N. tessera', 'Numero della tessera'],
      ['Medico curante', 'Nome del medico'],
      ['Allergie note', 'Allergie'],
      ['Peso (kg)', 'Peso'],
      ['Ultima visita', "Data dell'ultima visita"],
      ['Recapito', 'Recapito telefonico'],
      ['Terapia in corso', 'Terapia'],
    ]),
    tenant('Richiesta di locazione', [
      ['Richiedente', 'Nome del richiedente'],
      ['Abita in', 'Indirizzo attuale'],
      ['Ingresso previsto', "Data d'ingresso"],
      ['Canone mensile', 'Canone'],
      ['Componenti nucleo', 'Numero di componenti'],
      ['Attività svolta', 'Attività'],
      ['Entrate nette mensili', 'Entrate nette'],
      ['Locatore attuale', 'Nome del locatore'],
      ['Pratica n.', 'Numero della pratica'],
      ['Garante', 'Nome del garante'],
    ]),
  ],
  es: [
    patient('Ficha de paciente nuevo', [
      ['Paciente', 'Nombre del paciente'],
      ['F. nacimiento', 'Fecha de nacimiento'],
      ['Aseguradora', 'Compañía aseguradora'],
      ['N.º de tarjeta', 'Número de la tarjeta'],
      ['Médico de cabecera', 'Nombre del médico'],
      ['Alergias', 'Alergias conocidas'],
      ['Peso en kg', 'Peso'],
      ['Última consulta', 'Fecha de la última consulta'],
      ['Tfno. de contacto', 'Teléfono'],
      ['Medicación habitual', 'Medicación'],
    ]),
    tenant('Solicitud de alquiler', [
      ['Solicitante', 'Nombre del solicitante'],
      ['Reside en', 'Dirección actual'],
      ['Entrada prevista', 'Fecha de entrada'],
      ['Renta mensual', 'Renta'],
      ['Ocupantes', 'Número de ocupantes'],
      ['Se dedica a', 'Profesión'],
      ['Ingresos netos', 'Ingresos al mes'],
      ['Arrendador actual', 'Nombre del arrendador'],
      ['Expediente', 'Número de expediente'],
      ['Avalista', 'Nombre del avalista'],
    ]),
  ],
};

export const answers: Readonly<
  Record<
    Vendor['language'],
    { names: readonly string[]; streets: readonly string[]; companies: readonly string[]; words: readonly string[] }
  >
> = {
  en: {
    names: ['Imogen Fairclough', 'Desmond Okafor', 'Tessa Brannigan', 'Hugh Pemberton'],
    streets: ['5 Cobbler Yard, Leeds', '19 Harbour Rise, Hull', 'Flat 3, 60 Elm Grove, Bath'],
    companies: ['Northfield Mutual', 'Castle Court Estates', 'Avon Provident'],
    words: ['penicillin', 'carpenter', 'pollen, cat hair', 'bus driver'],
  },
  de: {
    names: ['Wiebke Tannhäuser', 'Jörg Pfeifer', 'Annegret Kuhlmann', 'Emil Sandrock'],
    streets: ['Gerberstr. 14, 04105 Leipzig', 'Uferweg 3, 24103 Kiel', 'Hofgasse 8, 79098 Freiburg'],
    companies: ['Hansekasse Nord', 'Wohnbau Elbtal', 'Securvita Bund'],
    words: ['Haselnuss', 'Krankenpfleger', 'Birkenpollen', 'Lehrerin'],
  },
  fr: {
    names: ['Apolline Marchetti', 'Gaspard Lenoir', 'Yvonne Tessier', 'Rémi Castagne'],
    streets: ['27, rue des Carmes, Angers', '6, cours Vitton, Lyon', '90, avenue de la Mer, Nice'],
    companies: ['Mutuelle du Ponant', 'Foncière Atlantique', 'Harmonie Ouest'],
    words: ['pénicilline', 'boulanger', 'acariens', 'institutrice'],
  },
  it: {
    names: ['Ludovica Ferraris', 'Ettore Bonanni', 'Carla Squarcini', 'Pietro Valmarana'],
    streets: ['Via del Pozzo 12, Parma', 'Viale Europa 101, Bari', 'Piazza Vecchia 4, Bergamo'],
    companies: ['Assicurazioni Tirreno', 'Immobiliare Sant’Elmo', 'Cassa Mutua Alpina'],
    words: ['polline', 'falegname', 'arachidi', 'infermiera'],
  },
  es: {
    names: ['Amparo Villalobos', 'Íñigo Larrea', 'Rocío Benavente', 'Tomás Quiroga'],
    streets: ['Calle Olmo 23, Valladolid', 'Avenida del Sur 9, Málaga', 'Plaza del Trigo 1, León'],
    companies: ['Mutua Cantábrica', 'Inmobiliaria Duero', 'Sanitas del Norte'],
    words: ['polen', 'carpintero', 'ácaros', 'enfermera'],
  },
};
