import { isStreet } from '../../values/streets.ts';

/** Legal forms of companies, which end their names. */
const legalForm =
  /(?<![\p{L}])(?:GmbH(?: ?& ?Co\.? ?KG)?|AG|KG|OHG|UG|e\.?K\.?|e\.?V\.?|Ltd\.?|Limited|LLC|L\.L\.C\.|LLP|Inc\.?|Corp\.?|Corporation|Company|PLC|plc|B\.?V\.?|N\.?V\.?|S\.?A\.?R\.?L\.?|SARL|S\.?A\.?S\.?|S\.?A\.?|S\.?p\.?A\.?|S\.?r\.?l\.?|S\.?L\.?|Sdn\.? ?Bhd\.?|SDN\.? ?BHD\.?|BHD|Pty|Oy|AB|A\/S|ApS|Kft|VVaG|a\.? ?G\.|Sp\. ?z ?o\.?o\.?)(?![\p{L}])/u;

/** Misread forms of `SDN BHD`, the usual legal form in Malaysia. */
const misreadLegalForm = /(?<!\p{L})S[DO0]N\.? ?BH[DO0](?!\p{L})/gu;

const postalPlace =
  /(?<![\p{L}\d])(?:(?:[A-Z]{1,2}[- ])?\d{5} \p{Lu}\p{L}+|\d{4} ?[A-Z]{2} \p{Lu}\p{L}+|\d{4} \p{Lu}\p{L}{2,}|\d{4}-\d{3} \p{Lu}\p{L}+|\d{3} \d{2} \p{Lu}\p{L}+|[A-Z]{2},? \d{5}(?:-\d{4})?|(?<=, )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)? \d{5}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?![\p{L}\d])/u;

const documentTitle =
  /^(?:tax |commercial |proforma |pro forma |sales |handels|sammel)?(?:invoice|bill|receipt|rechnung|facture|factuur|fattura|factura|quittung|kassenbon|re[cç]u|ticket(?: de caisse)?|scontrino|ricevuta(?: fiscale)?|recibo|documento commerciale|factura simplificada|statement|order|page|seite|original|copy|duplicate|contract|agreement|report|credit note|gutschrift|cash receipt|cash bill)(?:\s*(?:no|nr|number)?\.?\s*[#:]?.*\d.*)?\.?$/iu;

export function hasLegalForm(text: string): boolean {
  return legalForm.test(text) || text.search(misreadLegalForm) !== -1;
}

/** A name without the characters that a scan or a frame adds, as in `"The Copper Kettle` or `BLUE HERON ...`. */
export function cleanName(name: string): string {
  const bare = name
    .replaceAll(misreadLegalForm, 'SDN BHD')
    .replace(/^[\s*"'“”„=~_.-]+(?=\p{L})/u, (marks) =>
      /["“„]/u.test(marks) && /["”“]/u.test(name.slice(1)) ? marks : '',
    )
    .replace(/(?:\s+(?:0\S{0,2}|\p{L}?[.…'’`~|*=-]+|[.…'’`~|*=-]+\p{L}?))+$/u, '');
  return bare.trim();
}

/** Whether a text has a postal code with its place, in American, British, Dutch or continental form. */
export function hasPostalPlace(text: string): boolean {
  return postalPlace.test(text);
}

/** Whether a text is the title of a document, such as `Invoice`, and not a name. */
export function isDocumentTitle(text: string): boolean {
  return documentTitle.test(text.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d)\]]+$/gu, ''));
}

/** Headings of other blocks: delivery, payment, contact. */
const blockHeading =
  /^(?:livr[eé]|consegna|consegnare|spedire|enviar|entrega|luogo di|lieu de|lugar de|direcci[oó]n|ship(?:ping|ped)?|deliver(?:y|ed)?|service|billing|remit(?:tance)?|mailing|bill|sold|adresse|address|anschrift|liefer\p{L}*|rechnungs?(?:adresse|empf\p{L}*)|contact|kontakt|ansprechpartner|livraison|indirizzo|direcci[oó]n|payment|zahlung\p{L}*|bank\p{L}*|terms|notes?|nummer|number|datum|date|herrn?|frau|mrs?|ms|madame|monsieur|telefon|telephone|phone|tel|fax|e-?mail|iban|customer|client|kunde\p{L}*|vat|details|information)(?: (?:to|address|adresse|details|information|de livraison|de facturation|di (?:spedizione|fatturazione)|de entrega|commercial|name|id|no\.?|number|data))*\s*:?$/iu;

/** The caption of a name: `Nom de l'abonné`, `Contact name`. */
const nameCaption =
  /^(?:name|nom|nome|nombre|naam)(?:\s+(?:of|the|de|du|des|del|della|di|der|van)(?:\s.*)?)?$|^.{3,30}\sname$/iu;

/** Whether a text is the salutation above the name in an address. */
export function isSalutation(text: string): boolean {
  return /^(?:herrn?|frau|familie|firma|mrs?|ms|madame|monsieur|mme|m|sig(?:\.ra|nora?)?|spett\.?(?:le)?|sra?)\.?$/iu.test(
    text.trim(),
  );
}

/** Notices to the customer on receipts, and the kind of copy. */
const greeting =
  /^\W*(?:tq|thank|thanks|welcome|(?:herzlich )?willkommen|vielen dank|danke|merci|bienvenue|grazie|benvenut[oi]|gracias|bienvenid[oa]s?|bedankt|welkom|terima kasih|selamat datang|have a|please|visit|see you|(?:customer|merchant|kunden|h[äa]ndler|client)[- ]?(?:copy|beleg|receipt)|duplicat[ae]?|kopie|copia)(?!\p{L})/iu;

/** A text that ends with a preposition, such as `Livré à`, is a heading. */
const endsWithPreposition = /\s(?:to|at|for|by|an|für|bei|von|à|a|de|par|di|da|per|en|por|para)$/u;

/** Initials that a scan misread as digits, such as `0.1.Y.`. The original letters are unknown. */
const misreadInitials = /(?<![\p{L}\d])(?:\d\.)+\p{L}\.|(?<![\p{L}\d])(?:\p{L}\.)+\d\./u;

/** Whether a text can be the name of a person or company: words, few digits, no label, address, date or sentence. */
export function isNameLike(text: string): boolean {
  const trimmed = text.trim();
  const letters = trimmed.replaceAll(/[^\p{L}]/gu, '').length;
  const digitCount = trimmed.replaceAll(/\D/gu, '').length;
  if (letters < 3 || digitCount > letters / 3 || trimmed.length > 70) return false;
  if (/^\((?:\p{L}\)\s|.*\)$)/u.test(trimmed) || misreadInitials.test(trimmed)) return false;
  if (greeting.test(trimmed) && !hasLegalForm(trimmed)) return false;
  if (trimmed.includes(':') || trimmed.includes('@') || /^(?:www\.|https?:)/iu.test(trimmed) || /[%€$£]/u.test(trimmed))
    return false;
  if (isStreet(trimmed) || endsWithPreposition.test(trimmed)) return false;
  if (trimmed.split(/\s+/u).length > 9 || isDocumentTitle(trimmed) || blockHeading.test(trimmed)) return false;
  if (nameCaption.test(trimmed)) return false;
  if (/^(?:de|du|des|di|da|del|della|la|le|van|von|zu|ter|ten)\s\p{Lu}/u.test(trimmed)) return true;
  return /^[\p{Lu}\d"'„“(&]/u.test(trimmed) || hasLegalForm(trimmed) || /\p{Lu}/u.test(trimmed.slice(0, 3));
}
