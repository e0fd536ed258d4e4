import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import mammoth from 'mammoth';
import { gridDocument } from '../grid/grid-pages.ts';
import { wrapLines } from '../grid/wrap-lines.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { checkArchive } from './check-archive.ts';
import { htmlLines } from './html-lines.ts';

const textPart = /^word\/(?:document|header|footer)\d*\.xml$/;

/**
 * A Word document: headers, body, footers. Lines and pages are computed here, because only a word processor knows the
 * real breaks.
 */
export const openDocx: DocumentReader = async (bytes, limits) => {
  checkArchive(bytes, limits.unpackedBytes);
  const files = unzipSync(bytes);
  let hiddenText = 0;
  for (const name of Object.keys(files).filter((part) => textPart.test(part))) {
    const visible = keepVisibleRuns(strFromU8(files[name]!));
    hiddenText += visible.hiddenText;
    if (visible.hiddenText > 0) files[name] = strToU8(visible.xml);
  }
  const buffer = Buffer.from(hiddenText > 0 ? zipSync(files, { level: 0 }) : bytes);
  const { value: html } = await mammoth.convertToHtml({ buffer }, { externalFileAccess: false });
  const body = htmlLines(html);
  const sections = [margins(files, 'header'), body.lines, margins(files, 'footer')];
  const lines = sections.filter((section) => section.length > 0).flatMap((section) => ['', ...section]);
  return gridDocument(lines.slice(1), hiddenText + body.hiddenText);
};

/**
 * Lines of the headers or footers, which mammoth leaves out. Each occurs once, since first and later pages often share
 * them.
 */
function margins(files: Readonly<Record<string, Uint8Array>>, kind: 'header' | 'footer'): string[] {
  const lines = Object.keys(files)
    .filter((name) => textPart.test(name) && name.startsWith(`word/${kind}`))
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

/** A run of text without a nested run. */
const run = /<w:r(?: [^>]*)?>(?:(?!<w:r[ >])[\s\S])*?<\/w:r>/g;
const text = /<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g;
const vanished = /<w:vanish(?: w:val="(?:1|true|on)")?\s*\/>/;
/** In half points. */
const tiny = /<w:sz w:val="1"\s*\/>/;
const white = /<w:color w:val="FFFFFF"/i;
const shaded = /<w:(?:shd [^>]*w:fill="(?!auto|FFFFFF)|highlight |background )/i;

/** Removes the hidden runs of a part of a Word document. Returns the part and the number of removed characters. */
function keepVisibleRuns(xml: string): { xml: string; hiddenText: number } {
  // In a document without shading, white text is on white.
  const isWhiteHidden = !shaded.test(xml);
  let hiddenText = 0;
  const visible = xml.replace(run, (found) => {
    if (!vanished.test(found) && !tiny.test(found) && !(isWhiteHidden && white.test(found))) return found;
    for (const [, hidden = ''] of found.matchAll(text)) hiddenText += hidden.replace(/\s/g, '').length;
    return '';
  });
  return { xml: visible, hiddenText };
}
