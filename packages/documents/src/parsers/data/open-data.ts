import { decodeText } from '../../detect/decode-text.ts';
import { gridDocument } from '../../grid/grid-pages.ts';
import { wrapLines } from '../../grid/wrap-lines.ts';
import type { ContainedFile, DocumentReader } from '../../reader/document-reader.ts';
import { readInvoiceXml } from '../../machine-data/invoice/invoice-xml.ts';
import { decodeHtml } from '../html/decode-html.ts';

/** A file with lines of this length on average was written for machines, without line ends for people. */
const maxUsualLine = 300;
const maxIndent = 40;

/** XML as it is, indented. Files in it, such as the attachments of an electronic invoice, are documents of their own. */
export const openXml: DocumentReader = async (bytes) => {
  const whole = decodeHtml(bytes);
  const machineData = readInvoiceXml(whole);
  const { text, files } = takeFiles(whole);
  const document = gridDocument(wrapLines(isWrittenForPeople(text) ? text : indentXml(text)));
  return { ...document, files, ...(machineData.length > 0 && { machineData }) };
};

/** The text of an element that is long and has nothing but signs of base64. */
const encoded = /<([^<>/!?][^<>]*)>([A-Za-z0-9+/=\s]{2000,})(?=<\/)/g;
/** Words are shorter, and programs break base64 into lines of 60 or more signs. */
const minRun = 40;
const nameAttribute = /\bfilename\s*=\s*["']([^"'<>]{1,200})["']/iu;
/** FatturaPA names an attachment in the element before it. */
const nameElement = /<(?:[\w.-]+:)?(?:NomeAttachment|FileName)>([^<>]{1,200})</giu;
/** How PDF, PNG, JPEG, GIF, ZIP and TIFF begin. Certificates and signatures are no files that anyone reads. */
const knownBeginning = /^\s*(?:JVBERi|iVBORw0K|\/9j\/|R0lGOD|UEsDB|SUkqA|TU0AK)/u;

/** Takes files in base64 out of an XML: what they hold is no text, and would be thousands of lines. */
function takeFiles(xml: string): { text: string; files: ContainedFile[] } {
  const files: ContainedFile[] = [];
  const text = xml.replace(encoded, (all, tag: string, content: string, at: number) => {
    const runs = content.trim().split(/\s+/u);
    if (runs.slice(0, -1).some(({ length }) => length < minRun)) return all;
    const before = [...xml.slice(Math.max(0, at - 1_000), at).matchAll(nameElement)].at(-1);
    const given = nameAttribute.exec(tag)?.[1] ?? before?.[1];
    if (given === undefined && !knownBeginning.test(content)) return all;
    const name = given ?? `file ${files.length + 1}`;
    files.push({ name, bytes: Buffer.from(content, 'base64') });
    return `<${tag}>(the file ${name})`;
  });
  return { text, files };
}

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
