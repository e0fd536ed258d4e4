import type { MachineData } from '@docwright/contract';
import { parseDocument } from 'htmlparser2';
import { readCii } from './cii.ts';
import { readFattura } from './fattura.ts';
import { readUbl } from './ubl.ts';
import type { Element } from './xml-values.ts';

/** A larger file is no invoice that anyone reads. */
const maxCharacters = 20_000_000;

/**
 * The values of the electronic invoices in a file: Cross Industry Invoice (Factur-X, ZUGFeRD 1 and 2, XRechnung), UBL (XRechnung,
 * Peppol) or FatturaPA of Italy, which can hold several. Amounts and quantities are texts with every digit of the file. Empty for
 * any other XML.
 */
export function readInvoiceXml(xml: string): MachineData[] {
  if (xml.length > maxCharacters) return [];
  const outer = firstElement(parseDocument(xml, { xmlMode: true }).children);
  // Networks send an invoice in an envelope, behind a header.
  const isEnvelope = outer !== undefined && kindOf(outer) === 'StandardBusinessDocument';
  const root = isEnvelope ? firstElement(outer.children.filter((node) => !isHeader(node))) : outer;
  if (root === undefined) return [];
  const kind = kindOf(root);
  if (kind === 'CrossIndustryInvoice' || kind === 'CrossIndustryDocument') return [readCii(root)];
  if (kind === 'FatturaElettronica' || kind === 'FatturaElettronicaSemplificata') return readFattura(root);
  return (kind === 'Invoice' || kind === 'CreditNote') && isUbl(root) ? [readUbl(root)] : [];
}

type Node = ReturnType<typeof parseDocument>['children'][number];

const firstElement = (nodes: readonly Node[]): Element | undefined =>
  nodes.find((node): node is Element => 'attribs' in node);
const kindOf = ({ name }: Element): string | undefined => name.split(':').at(-1);
const isHeader = (node: Node): boolean => 'attribs' in node && kindOf(node) === 'StandardBusinessDocumentHeader';

function isUbl({ attribs }: Element): boolean {
  return Object.values(attribs).some((value) =>
    /^urn:oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote)-2$/.test(value),
  );
}
