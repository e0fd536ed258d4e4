import { decodeText } from '../../detect/decode-text.ts';
import { gridDocument } from '../../grid/grid-pages.ts';
import { wrapLines } from '../../grid/wrap-lines.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { readInvoiceXml } from '../../machine-data/invoice/invoice-xml.ts';
import { decodeHtml } from '../html/decode-html.ts';

/** A file with lines of this length on average was written for machines, without line ends for people. */
const maxUsualLine = 300;
const maxIndent = 40;

/** XML as it is, indented. */
export const openXml: DocumentReader = async (bytes) => {
  const text = decodeHtml(bytes);
  const invoice = readInvoiceXml(text);
  const document = gridDocument(wrapLines(isWrittenForPeople(text) ? text : indentXml(text)));
  return { ...document, ...(invoice && { machineData: [invoice] }) };
};

/** JSON as it is, indented. Numbers keep their digits. */
export const openJson: DocumentReader = async (bytes) => {
  const text = decodeText(bytes);
  return gridDocument(wrapLines(isWrittenForPeople(text) ? text : indentJson(text)));
};

function isWrittenForPeople(text: string): boolean {
  return (
    text.length / text.split('\n').length <= maxUsualLine && (text.length < maxUsualLine / 3 || text.includes('\n'))
  );
}

function indentXml(text: string): string {
  let depth = 0;
  let result = '';
  // Asking the growing text itself would copy it each time.
  let endsWithTag = false;
  for (const [, tag, content] of text.matchAll(/(<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[^>]*>)|([^<]+)/g)) {
    if (content !== undefined) {
      const trimmed = content.trim();
      result += trimmed;
      if (trimmed !== '') endsWithTag = trimmed.endsWith('>');
      continue;
    }
    const isEnd = tag!.startsWith('</');
    const isSingle = /^<[!?]/.test(tag!) || tag!.endsWith('/>');
    if (isEnd) depth = Math.max(0, depth - 1);
    const isLeafEnd = isEnd && !endsWithTag;
    result += isLeafEnd || result === '' ? tag : `\n${' '.repeat(Math.min(depth, maxIndent))}${tag}`;
    endsWithTag = tag!.endsWith('>');
    if (!isEnd && !isSingle) depth += 1;
  }
  return result;
}

function indentJson(text: string): string {
  let depth = 0;
  let result = '';
  const line = (): string => `\n${' '.repeat(Math.min(depth, maxIndent))}`;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:\s]+/g)) {
    if (part === '{' || part === '[') {
      depth += 1;
      result += part + line();
    } else if (part === '}' || part === ']') {
      depth = Math.max(0, depth - 1);
      result += line() + part;
    } else if (part === ',') result += part + line();
    else result += part === ':' ? ': ' : part;
  }
  return result;
}
