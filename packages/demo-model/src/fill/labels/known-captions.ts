import { wordsOf } from '../../page/fold.ts';

/** The captions of forms, by their meaning. Languages: en, de, fr, it, es, nl. */
const captionsByMeaning: Readonly<Record<string, readonly string[]>> = {
  first_name:
    'first name|given name|given names|forename|forenames|vorname|vornamen|vorname n|rufname|prénom|prénoms|prénom s|nome|nome proprio|nombre|nombres|nombre de pila|nombre s|voornaam|voornamen'.split(
      '|',
    ),
  last_name:
    'last name|surname|family name|nachname|familienname|zuname|name nachname|nom|nom de famille|nom d usage|cognome|apellido|apellidos|primer apellido|apellido s|achternaam|familienaam'.split(
      '|',
    ),
  full_name:
    'full name|name|applicant name|name of applicant|patient name|member name|vollständiger name|vor und nachname|name vorname|nom et prénom|nom complet|nome e cognome|cognome e nome|nombre y apellidos|nombre completo|naam|volledige naam'.split(
      '|',
    ),
  date_of_birth:
    'date of birth|birth date|birthdate|dob|d o b|born on|born|geburtsdatum|geboren am|geboren|geb am|geb datum|date de naissance|né le|née le|né e le|naissance|data di nascita|nato il|nata il|nato a il|fecha de nacimiento|nacido el|nacido a el|nacimiento|geboortedatum|geboren op'.split(
      '|',
    ),
  place_of_birth:
    'place of birth|birthplace|geburtsort|lieu de naissance|luogo di nascita|lugar de nacimiento|geboorteplaats'.split(
      '|',
    ),
  address:
    'address|street address|street|home address|mailing address|street and number|residential address|adresse|straße|straße hausnummer|straße und hausnummer|straße nr|straße und nr|anschrift|wohnanschrift|rue|rue et numéro|domicile|adresse postale|indirizzo|via|via e numero|residenza|indirizzo di residenza|dirección|domicilio|calle|calle y número|adres|straat'.split(
      '|',
    ),
  city: 'city|town|city town|city or town|ort|wohnort|stadt|ville|commune|localité|città|comune|località|comune di residenza|ciudad|población|localidad|municipio|woonplaats|plaats|stad'.split(
    '|',
  ),
  postal_code:
    'zip|zip code|postal code|postcode|post code|plz|postleitzahl|code postal|c p|cp|cap|c a p|codice postale|código postal|codigo postal'.split(
      '|',
    ),
  country: 'country|land|pays|paese|país'.split('|'),
  phone:
    'phone|phone number|telephone|telephone number|tel|tel no|mobile|mobile number|cell phone|daytime phone|home phone|telefon|telefonnummer|rufnummer|mobil|mobilnummer|handy|téléphone|n de téléphone|numéro de téléphone|tél|tél portable|portable|telefono|numero di telefono|cellulare|recapito telefonico|teléfono|n o de teléfono|número de teléfono|móvil|teléfono móvil|telefoon|telefoonnummer'.split(
      '|',
    ),
  email:
    'email|e mail|email address|e mail address|e mail adresse|mail|courriel|adresse e mail|adresse électronique|adresse mail|indirizzo e mail|indirizzo email|posta elettronica|correo|correo electrónico|dirección de correo|dirección de correo electrónico|e mailadres'.split(
      '|',
    ),
  nationality:
    'nationality|citizenship|staatsangehörigkeit|nationalität|staatsbürgerschaft|nationalité|pays de nationalité|nazionalità|cittadinanza|nacionalidad|ciudadanía|nationaliteit'.split(
      '|',
    ),
  marital_status:
    'marital status|civil status|family status|familienstand|personenstand|situation familiale|situation de famille|état civil|stato civile|situazione familiare|estado civil|situación familiar|burgerlijke staat'.split(
      '|',
    ),
  gender: 'gender|sex|geschlecht|sexe|sesso|sexo|género|geslacht'.split('|'),
  occupation:
    'occupation|profession|job title|current job title|position|beruf|ausgeübter beruf|tätigkeit|berufsbezeichnung|métier|emploi|emploi actuel|poste|fonction|professione|mestiere|occupazione|occupazione attuale|impiego|profesión|ocupación|puesto|puesto actual|cargo|beroep'.split(
      '|',
    ),
  employer:
    'employer|name of employer|employer name|current employer|employed by|company|arbeitgeber|derzeitiger arbeitgeber|aktueller arbeitgeber|beschäftigt bei|firma|employeur|nom de l employeur|entreprise|société|datore di lavoro|azienda|impiegato presso|ditta|empleador|empresa|empresa donde trabaja|nombre de la empresa|werkgever'.split(
      '|',
    ),
  annual_income:
    'annual income|yearly income|gross annual income|gross income per year|annual salary|jahreseinkommen|bruttojahreseinkommen|einkommen im jahr|jahresgehalt|revenu annuel|revenus annuels|revenus par an|salaire annuel|reddito annuo|reddito annuale|reddito annuale lordo|stipendio annuo|ingresos anuales|ingresos brutos al año|salario anual|renta anual|jaarinkomen'.split(
      '|',
    ),
  start_date:
    'start date|starting date|date available|available from|effective date|coverage begins|begins|beginn|startdatum|eintrittsdatum|vertragsbeginn|versicherungsbeginn|verfügbar ab|gültig ab|date de début|date d effet|prise d effet|disponible à partir du|disponible le|data di inizio|data inizio|decorrenza|disponibile dal|fecha de inicio|fecha de efecto|disponible desde|fecha de alta|ingangsdatum'.split(
      '|',
    ),
  policy_number:
    'policy number|policy no|policy|contract number|contract no|versicherungsnummer|versicherungsscheinnummer|policennummer|vertragsnummer|numéro de police|n de police|police n|numéro de contrat|n de contrat|numero di polizza|numero polizza|polizza n|n contratto|numero contratto|número de póliza|n o de póliza|póliza n o|póliza|n o de contrato|número de contrato|polisnummer'.split(
      '|',
    ),
  insured_amount:
    'insured amount|sum insured|amount insured|coverage amount|coverage|versicherungssumme|deckungssumme|montant assuré|capital assuré|capital garanti|somme assurée|somma assicurata|capitale assicurato|massimale|suma asegurada|capital asegurado|cobertura|verzekerd bedrag'.split(
      '|',
    ),
  vehicle_model:
    'vehicle model|model|make and model|vehicle|fahrzeugmodell|fahrzeug|fahrzeugtyp|fahrzeug marke typ|marke und modell|modèle du véhicule|modèle|marque et modèle|véhicule|modello del veicolo|modello|marca e modello|veicolo|modelo del vehículo|modelo|marca y modelo|vehículo'.split(
      '|',
    ),
  license_plate:
    'license plate|licence plate|plate number|registration plate|registration number|license plate number|kennzeichen|amtliches kennzeichen|kfz kennzeichen|immatriculation|plaque d immatriculation|n d immatriculation|targa|targa del veicolo|numero di targa|matrícula|placa|número de matrícula|kenteken'.split(
      '|',
    ),
  smoker:
    'smoker|do you smoke|smoking|raucher|raucherin|rauchen sie|fumeur|fumez vous|fumatore|lei fuma|fumador|fuma usted|fuma|roker'.split(
      '|',
    ),
  emergency_contact:
    'emergency contact|contact in emergency|in case of emergency|in case of emergency notify|notify in case of emergency|notfallkontakt|im notfall|im notfall zu benachrichtigen|im notfall benachrichtigen|contact d urgence|personne à prévenir|personne à prévenir en cas d urgence|contatto di emergenza|contatto d emergenza|in caso di emergenza avvisare|contacto de emergencia|en caso de emergencia avisar a|persona de contacto en emergencias|noodcontact'.split(
      '|',
    ),
  signature:
    'signature|signature of applicant|unterschrift|firma del richiedente|firma del solicitante|signature du demandeur|handtekening'.split(
      '|',
    ),
};

const meaningByWords = new Map(
  Object.entries(captionsByMeaning).flatMap(([meaning, texts]) =>
    texts.map((text): [string, string] => [wordsOf(text), meaning]),
  ),
);

/** Field names with the meaning of a caption but another spelling. */
const fieldNames: Readonly<Record<string, string>> = {
  firstname: 'first_name',
  lastname: 'last_name',
  birthday: 'date_of_birth',
  birth: 'date_of_birth',
  zipcode: 'postal_code',
  phone_no: 'phone',
};

/**
 * The meaning of a form's caption; undefined for other texts.
 *
 * @example captionMeaning('Date de naissance :') // 'date_of_birth'
 */
export function captionMeaning(text: string): string | undefined {
  if (text.length > 60) return undefined;
  const words = wordsOf(text.replace(/\([^()]*\)?\s*:?$/u, ''));
  return meaningByWords.get(words) ?? meaningByWords.get(wordsOf(text)) ?? fieldNames[words];
}
const lettersOnly = /^[^\d@]{2,60}$/u;
const hasDigit = /\d/u;

/** The required form of a value, by the meaning of its caption. Other captions allow any text. */
const requiredForms: Readonly<Record<string, RegExp>> = {
  first_name: lettersOnly,
  last_name: lettersOnly,
  full_name: lettersOnly,
  emergency_contact: /\p{L}{2}/u,
  city: lettersOnly,
  nationality: lettersOnly,
  marital_status: lettersOnly,
  gender: lettersOnly,
  occupation: lettersOnly,
  postal_code: /^(?=.*\d)[\p{L}\d -]{3,10}$/u,
  phone: /(?:\d[\s()/.+-]*){4}/u,
  email: /\S@\S/u,
  policy_number: hasDigit,
  license_plate: hasDigit,
};
/** Its last word is no abbreviation, such as `et al.`. */
const sentence = /\p{L}+(?:[\s,]+\p{L}+){2,}[\s,]+\p{L}{4,}\.$/u;

/** Whether a text can be the value of a caption. A sentence is an explanation and never a value. */
export function isPlausible(meaning: string | undefined, text: string): boolean {
  if (sentence.test(text)) return false;
  const form = meaning === undefined ? undefined : requiredForms[meaning];
  return form?.test(text) ?? true;
}
