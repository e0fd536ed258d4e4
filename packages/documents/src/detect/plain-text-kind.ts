import type { DocumentMimeType } from '../document-mime-type.ts';

const kindOfExtension: Readonly<Record<string, DocumentMimeType>> = {
  csv: 'text/csv',
  tsv: 'text/csv',
  md: 'text/markdown',
  markdown: 'text/markdown',
  htm: 'text/html',
  html: 'text/html',
  xhtml: 'text/html',
  eml: 'message/rfc822',
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
};

const mailHeader =
  /^(?:from|to|cc|subject|date|received|return-path|delivered-to|message-id|mime-version|content-type|reply-to|x-[a-z-]+):/i;
const htmlStart = /^(?:<\?xml[^>]*\?>)?\s*(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/** Decides the kind of plain text: by the text itself first, otherwise by the file name. */
export function plainTextKind(text: string, name: string): DocumentMimeType {
  const start = text.slice(0, 16 * 1024).trimStart();
  if (htmlStart.test(start)) return 'text/html';
  if (looksLikeMail(start)) return 'message/rfc822';
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const named = kindOfExtension[extension];
  if (named && named !== 'message/rfc822') return named;
  return looksLikeTable(start) ? 'text/csv' : 'text/plain';
}

/** A mail starts with header lines, at least two of which occur in every mail. */
function looksLikeMail(start: string): boolean {
  const [head = ''] = start.replace(/^From .*\n/, '').split('\n\n', 1);
  const lines = head.split('\n').filter((line) => !/^[ \t]/.test(line));
  if (lines.length === 0 || !lines.slice(0, -1).every((line) => /^[!-9;-~]+:/.test(line))) return false;
  const known = new Set(lines.filter((line) => mailHeader.test(line)).map((line) => line.split(':', 1)[0]));
  return known.size >= 2;
}

/** Three lines or more, each with the same number of one delimiter. */
function looksLikeTable(start: string): boolean {
  const lines = start.split('\n').slice(0, 20).filter(Boolean);
  const whole = start.includes('\n') ? lines.slice(0, Math.max(3, lines.length - 1)) : lines;
  if (whole.length < 3) return false;
  return [',', ';', '\t', '|'].some((delimiter) => {
    const counts = whole.map((line) => line.split(delimiter).length - 1);
    const [first = 0] = counts;
    return first > 0 && counts.every((count) => count === first) && (first > 1 || delimiter !== ',');
  });
}
