import type { Party } from './address-blocks.ts';
import type { Field } from '../field.ts';
import type { Found } from '../page-context.ts';
import type { Parties } from './parties.ts';

const sellerWords =
  /(?:^| )(?:seller|vendor|supplier|merchant|store|shop|issuer|sender|company|from|restaurant|provider|verkaufer|lieferant|fournisseur|vendeur|fornitore|leverancier|proveedor)(?: |$)/u;
const buyerWords =
  /(?:^| )(?:buyer|customer|client|recipient|bill(?:ed)? to|billing|purchaser|kaufer|kunde|destinataire|klant|cliente|rechnungsempfanger|acheteur)(?: |$)/u;
/** Whether a field's name refers to the buyer. */
export function isAboutBuyer(field: Field): boolean {
  return buyerWords.test(field.words);
}

/** Name or address of a party for a field; null when not found, undefined for a field about something else. */
export function findPartyField(field: Field, parties: Parties): Found<string> | null | undefined {
  // An address without a name belongs to the sender, unless a label disagrees.
  if (field.words === 'address')
    return parties.seller?.address ? ofParty(parties.seller, parties.seller.address) : undefined;
  const isBuyer = isAboutBuyer(field);
  if (!isBuyer && !sellerWords.test(field.words)) return undefined;
  const party: Party | null = isBuyer ? parties.buyer : parties.seller;
  const rest = field.words.replace(isBuyer ? buyerWords : sellerWords, ' ').trim();
  if (rest === '' || /^(?:(?:company|full|business) )?(?:name|company)$/u.test(rest))
    return party && ofParty(party, party.name);
  if (/^(?:(?:full|postal|street|billing|mailing) )?address$/u.test(rest)) {
    return party && party.address !== '' ? ofParty(party, party.address) : null;
  }
  return undefined;
}

function ofParty(party: Party, value: string): Found<string> {
  return { value, written: value, line: party.line, score: 1 };
}
