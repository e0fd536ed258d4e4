import type { MachineData } from '@docwright/contract';
import { parseDocument } from 'htmlparser2';
import { readCii } from './cii.ts';
import { readUbl } from './ubl.ts';
import type { Element } from './xml-values.ts';

/** A larger file is no invoice that anyone reads. */
const maxCharacters = 20_000_000;

/**
 * The values of an electronic invoice: Cross Industry Invoice (Factur-X, ZUGFeRD 1 and 2, XRechnung) or UBL (XRechnung, Peppol).
 * Amounts and quantities are texts with every digit of the file. Undefined for any other XML.
 */
export function readInvoiceXml(xml: string): MachineData | undefined {
  if (xml.length > maxCharacters) return undefined;
  const root = parseDocument(xml, { xmlMode: true }).children.find((node): node is Element => 'attribs' in node);
  const kind = root?.name.split(':').at(-1);
  if (root === undefined) return undefined;
  if (kind === 'CrossIndustryInvoice' || kind === 'CrossIndustryDocument') return readCii(root);
  return (kind === 'Invoice' || kind === 'CreditNote') && isUbl(root) ? readUbl(root) : undefined;
}

function isUbl({ attribs }: Element): boolean {
  return Object.values(attribs).some((value) =>
    /^urn:oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote)-2$/.test(value),
  );
}
