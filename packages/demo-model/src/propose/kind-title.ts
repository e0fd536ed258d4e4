import { hasLegalForm, isNameLike, withoutLegalForm } from '../fill/parties/name-forms.ts';
import { readParties } from '../fill/parties/parties.ts';
import { pageContext } from '../fill/reading/page-context.ts';
import type { DocumentText } from '../page/document-text.ts';
import { fold } from '../page/fold.ts';
import { detectKind, type DocumentKind, kindName } from './document-kind.ts';

const maxHeadLines = 12;
const maxLength = 60;

/**
 * The issuer's name without its legal form: the sender, or the first company in a contract.
 *
 * @example
 * issuerOf(document) // 'Contoso', if the letterhead is Contoso Ltd
 */
export function issuerOf(document: DocumentText): string | undefined {
  const named = readParties(pageContext(document)).seller?.name;
  const seller = named !== undefined && !isTitle(named) ? named : (companyInHead(document) ?? nameInHead(document));
  if (seller === undefined) return undefined;
  const name = withoutLegalForm(seller).trim().slice(0, maxLength);
  return name === '' ? undefined : inTitleCase(name);
}

/** Words of titles. Some documents start with a title where others have a letterhead. */
const titleWords =
  /(?<!\p{L})(?:form|application|registration|questionnaire|agreement|contract|lease|report|certificate|statement|notice|formular|antrag|\p{L}*vertrag|bericht|formulaire|contrat|rapport|modulo|contratto)(?!\p{L})/iu;
const isTitle = (text: string) => titleWords.test(text);

function nameInHead(document: DocumentText): string | undefined {
  const head = document.lines.filter(({ cells }) => cells.length > 0).slice(0, 3);
  return head.map(({ text }) => text.trim()).find((text) => isNameLike(text) && !isTitle(text) && !/[.,;]/u.test(text));
}

function companyInHead(document: DocumentText): string | undefined {
  for (const { text } of document.lines.filter(({ cells }) => cells.length > 0).slice(0, maxHeadLines)) {
    for (const part of text.split(/,|\bby and between\b|\bbetween\b|\band\b/iu)) {
      if (hasLegalForm(part) && isNameLike(part)) return part.trim();
    }
  }
  return undefined;
}

function inTitleCase(name: string): string {
  if (name !== name.toUpperCase() || !/\p{L}{4}/u.test(name)) return name;
  return name.toLowerCase().replaceAll(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** A document's kind and issuer, such as `Invoice, Contoso`. It never contains the file name. */
export function kindTitle(kind: DocumentKind, document: DocumentText): string {
  const name = kindName(kind);
  const title = name.slice(0, 1).toUpperCase() + name.slice(1);
  const issuer = issuerOf(document);
  return issuer === undefined ? title : `${title}, ${issuer}`;
}

/**
 * The first kind whose title fits the document's kind and issuer. A title without an issuer fits every document. A number
 * at the end of a part is ignored, because it only distinguishes kinds with the same title.
 */
export function findKindOf<Kind extends { name: string }>(
  document: DocumentText,
  kinds: readonly Kind[],
): Kind | undefined {
  const issuer = fold(issuerOf(document) ?? '');
  const kind = detectKind(document);
  return kinds.find(({ name }) => {
    const [title = '', kindIssuer = ''] = name.split(',').map((part) => fold(part.replace(/\s+\d{1,3}$/u, '')).trim());
    const isOtherIssuer =
      kindIssuer !== '' && issuer !== '' && !issuer.includes(kindIssuer) && !kindIssuer.includes(issuer);
    const isOtherKind = kindIssuer !== '' && kind !== 'report' && !title.includes(fold(kindName(kind)));
    return !isOtherIssuer && !isOtherKind;
  });
}
