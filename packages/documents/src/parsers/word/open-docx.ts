import { unknownBackground, white, type Background } from '../alike-colors.ts';
import { gap, textBlock, type Block } from '../../flow/block.ts';
import { decodeText } from '../../detect/decode-text.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import {
  childElements,
  distinctRelations,
  firstChild,
  openArchive,
  type OfficeArchive,
  type XmlElement,
} from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { textIn } from '../vml.ts';
import { markOfNote, noteBlocks, type NoteKind } from '../note-mark.ts';
import { onceEach } from '../once-each.ts';
import { decodeHtml } from '../html/decode-html.ts';
import { readHtml } from '../html/read-html.ts';
import { readMailBody } from '../mail/mail-body.ts';
import { parseMime } from '../mail/mime-part.ts';
import { readRtf } from '../rtf/open-rtf.ts';
import { readNumbering } from './numbering.ts';
import { hasArtBehindText } from './read-drawing.ts';
import { PartReader } from './read-part.ts';
import { readStyles } from './styles.ts';
import type { WordFile } from './word-file.ts';

/** Chunks inside of chunks are read so deep. */
const maxChunkDepth = 2;

/** A Word document as Word shows it with its changes accepted: headers, body, notes, footers. */
export const openDocx: DocumentReader = async (bytes, limits) => {
  const { blocks, hiddenText, unread } = readDocx(bytes, limits.unpackedBytes);
  return flowDocument(blocks, { hiddenText, unread });
};

export interface DocxContent {
  blocks: Block[];
  hiddenText: number;
  unread: UnreadPart[];
}

export function readDocx(bytes: Uint8Array, unpackedBytes: number, chunkDepth = 0): DocxContent {
  const archive = openArchive(bytes, unpackedBytes);
  const main =
    [...archive.relations('').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'word/document.xml';
  const root = archive.xml(main);
  const body = firstChild(root, 'w:body');
  if (root === undefined || body === undefined) throw new Error('The archive has no text.');
  const relations = archive.relations(main);
  const pathOf = (type: string): string =>
    [...relations.values()].find((link) => link.type === type)?.target ?? `word/${type}.xml`;
  let hiddenText = 0;
  const unread: UnreadPart[] = [];
  const notes: Record<NoteKind, { id: string; position: number | undefined }[]> = { footnote: [], endnote: [] };
  const counts: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  const file: WordFile = {
    archive,
    styles: readStyles(archive.xml(pathOf('styles'))),
    numbering: readNumbering(archive.xml(pathOf('numbering'))),
    note: (part) => void unread.push(part),
    countHidden: (characters) => void (hiddenText += characters),
    addNote(kind, id, hasOwnMark) {
      const position = hasOwnMark ? undefined : (counts[kind] += 1);
      notes[kind].push({ id, position });
      return position;
    },
    readChunk(links, id) {
      const path = links.get(id ?? '')?.target;
      const chunk = path === undefined ? undefined : archive.bytes(path);
      const read =
        chunk && chunkDepth < maxChunkDepth
          ? readChunk(path!, chunk, (inner) => readDocx(inner, unpackedBytes, chunkDepth + 1))
          : undefined;
      if (read === undefined) {
        file.note({ kind: 'embedded_file', message: 'A file that was inserted into the text was not read.' });
        return [];
      }
      hiddenText += read.hiddenText;
      unread.push(...read.unread);
      return read.blocks;
    },
  };
  const headerParts = marginPaths(archive, body, main, 'header').map((path) => archive.xml(path));
  const behind = [root, ...headerParts].some(hasArtBehindText) ? unknownBackground : backgroundOf(root);
  const text = new PartReader(file, main).read(body, { depth: 0, behind });
  const readMargins = (kind: 'header' | 'footer'): Block[] =>
    marginPaths(archive, body, main, kind).flatMap((path) => {
      const part = archive.xml(path);
      return part ? new PartReader(file, path).read(part, { depth: 0, behind }) : [];
    });
  const headers = onceEach(readMargins('header'));
  const footers = onceEach(readMargins('footer'));
  const noteParts = (['footnote', 'endnote'] as const).flatMap((kind) => readNotes(file, kind, notes[kind], pathOf));
  // Comments stand beside the text on a screen, and nowhere on its pages.
  for (const { type, target } of distinctRelations(relations)) {
    if (type === 'comments') hiddenText += visibleCharacters(textIn(archive.xml(target)));
  }
  const blocks = [headers, text, noteParts, footers].flatMap((part) => [...part, gap]);
  return { blocks, hiddenText, unread: [...unread, ...archive.unread] };
}

function readNotes(
  file: WordFile,
  kind: NoteKind,
  notes: readonly { id: string; position: number | undefined }[],
  pathOf: (type: string) => string,
): Block[] {
  if (notes.length === 0) return [];
  const path = pathOf(`${kind}s`);
  const byId = new Map(childElements(file.archive.xml(path)).map((note) => [note.attribs['w:id'], note]));
  const reader = new PartReader(file, path);
  // A note can refer to further notes, which are added to the list, and even to itself.
  const read = new Set<string>();
  const blocks: Block[] = [gap];
  for (const { id, position } of notes) {
    const note = byId.get(id);
    if (note === undefined || read.has(id)) continue;
    read.add(id);
    blocks.push(...noteBlocks(position === undefined ? '' : markOfNote(kind, position), reader.read(note)));
  }
  return blocks;
}

/** The headers or footers that the sections of the text show, in the order of their first pages. */
function marginPaths(archive: OfficeArchive, body: XmlElement, main: string, kind: 'header' | 'footer'): string[] {
  const relations = archive.relations(main);
  const settings = archive.xml('word/settings.xml');
  const differsOnEvenPages = isOn(firstChild(settings, 'w:evenAndOddHeaders'));
  const paths = new Set<string>();
  // A section without a header of its own has that of the section before.
  const current = new Map<string, string>();
  for (const section of sectionsOf(body)) {
    const differsOnFirstPage = isOn(firstChild(section, 'w:titlePg'));
    for (const { attribs } of childElements(section, `w:${kind}Reference`)) {
      const path = relations.get(attribs['r:id'] ?? '')?.target;
      if (path !== undefined) current.set(attribs['w:type'] ?? 'default', path);
    }
    for (const type of ['first', 'default', 'even']) {
      const path = current.get(type);
      if ((type === 'first' && !differsOnFirstPage) || (type === 'even' && !differsOnEvenPages)) continue;
      if (path !== undefined) paths.add(path);
    }
  }
  return [...paths];
}

function isOn(property: XmlElement | undefined): boolean {
  return property !== undefined && !/^(?:0|false|off)$/.test(property.attribs['w:val'] ?? '1');
}

function sectionsOf(body: XmlElement): XmlElement[] {
  return childElements(body).flatMap((element) => {
    if (element.name === 'w:sectPr') return [element];
    return firstChild(firstChild(element, 'w:pPr'), 'w:sectPr') ?? [];
  });
}

/** The colour of the pages, which can have a picture or a pattern too. */
function backgroundOf(root: XmlElement): Background {
  const background = firstChild(root, 'w:background');
  if (background === undefined) return white;
  return childElements(background).length > 0
    ? unknownBackground
    : (background.attribs['w:color']?.replace(/^auto$/i, white) ?? white);
}

/** The content of a file that was inserted into a Word document; undefined for a kind that cannot be read there. */
function readChunk(
  path: string,
  bytes: Uint8Array,
  readWord: (bytes: Uint8Array) => DocxContent,
): DocxContent | undefined {
  if (/\.(?:docx|docm|dotx)$/i.test(path)) return readWord(bytes);
  if (/\.x?html?$/i.test(path)) return readHtml(decodeHtml(bytes));
  if (/\.mht(?:ml)?$/i.test(path)) return readMailBody(parseMime(bytes));
  if (/\.rtf$/i.test(path)) return readRtf(Buffer.from(bytes).toString('latin1'));
  if (/\.txt$/i.test(path)) {
    const blocks = decodeText(bytes)
      .split('\n')
      .map((line) => textBlock(line));
    return { blocks, hiddenText: 0, unread: [] };
  }
  return undefined;
}
