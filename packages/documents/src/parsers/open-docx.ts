import { strFromU8, unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import mammoth from 'mammoth';
import type { DocumentReader } from '../document-reader.ts';
import { gridDocument } from '../grid/grid-pages.ts';
import { wrapLines } from '../grid/wrap-lines.ts';
import { checkArchive } from './check-archive.ts';
import { htmlLines } from './html-lines.ts';

/** A Word document: headers, body, footers. Its lines and pages are ours: only a word processor knows where it breaks them. */
export const openDocx: DocumentReader = async (bytes, limits) => {
  checkArchive(bytes, limits.unpackedBytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { value: html } = await mammoth.convertToHtml({ buffer }, { externalFileAccess: false });
  const body = htmlLines(html);
  const headers = margins(bytes, /^word\/header\d*\.xml$/);
  const footers = margins(bytes, /^word\/footer\d*\.xml$/);
  const lines = [
    ...headers,
    ...(headers.length > 0 ? [''] : []),
    ...body.lines,
    ...(footers.length > 0 ? [''] : []),
    ...footers,
  ];
  return gridDocument(lines, body.hiddenText);
};

/** Lines of the headers or footers, which mammoth leaves out; each once, since first and later pages often share them. */
function margins(bytes: Uint8Array, path: RegExp): string[] {
  const files = unzipSync(bytes, { filter: (entry) => path.test(entry.name) });
  const lines = Object.keys(files)
    .sort()
    .flatMap((name) => paragraphs(strFromU8(files[name]!)))
    .flatMap(wrapLines);
  return [...new Set(lines.filter((line) => line.trim() !== ''))];
}

function paragraphs(xml: string): string[] {
  const found: string[] = [];
  let isText = false;
  let paragraph = '';
  const parser = new Parser(
    {
      onopentagname(name) {
        isText = name === 'w:t';
        if (name === 'w:tab') paragraph += '\t';
        if (name === 'w:br') paragraph += '\n';
      },
      ontext(text) {
        if (isText) paragraph += text;
      },
      onclosetag(name) {
        isText = false;
        if (name !== 'w:p') return;
        found.push(paragraph);
        paragraph = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}
