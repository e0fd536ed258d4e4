import { strFromU8, unzipSync } from 'fflate';
import type { DomUtils } from 'htmlparser2';
import { parseDocument } from 'htmlparser2';
import type { UnreadPart } from '../page/unread.ts';
import { ParseFailure } from '../reader/parse-failure.ts';
import { hasOtherPrefixes, renamePrefixes } from './usual-prefixes.ts';

/** Office files have tens of entries, large workbooks some hundreds. */
const maxEntries = 10_000;

/** Readers take no elements inside of more others. Tables in tables, shapes in groups and the like come to some dozens. */
const maxDepth = 150;

export type XmlNode = ReturnType<typeof parseDocument>['children'][number];
export type XmlElement = Parameters<typeof DomUtils.getAttributeValue>[0];

/** The parts of an Office file. A part is unpacked when it is read. */
export interface OfficeArchive {
  /** Paths of all parts, in the order of the archive. */
  names: readonly string[];
  bytes(name: string): Uint8Array | undefined;
  text(name: string): string | undefined;
  /** The root element of an XML part. */
  xml(name: string): XmlElement | undefined;
  /** Targets of the relationships of a part, by id. */
  relations(name: string): ReadonlyMap<string, Relation>;
  /** What the parts that were read so far have and no reader takes. */
  unread: readonly UnreadPart[];
}

export interface Relation {
  /** The last word of the type's address, such as `image`. */
  type: string;
  /** Path of the part, or an address outside of the file. */
  target: string;
}

/**
 * Opens an Office file, after checking that it does not unpack to more than `unpackedBytes`. The archive declares the sizes;
 * a file with false sizes reaches the memory limit of its thread.
 */
export function openArchive(file: Uint8Array, unpackedBytes: number): OfficeArchive {
  const names: string[] = [];
  let size = 0;
  unzipSync(file, {
    filter: (entry) => {
      names.push(entry.name);
      size += entry.originalSize;
      return false;
    },
  });
  if (size > unpackedBytes || names.length > maxEntries) {
    const megabytes = Math.round(unpackedBytes / (1024 * 1024));
    throw new ParseFailure(
      'document_too_large',
      `The Office file unpacks to more than the ${megabytes} MB that can be read. Split it, or save it as PDF, and upload that.`,
    );
  }
  // Some programs write backslashes or other letter cases than the relationships name.
  const entryOf = new Map(names.map((name) => [keyOf(name), name]));
  const unread: UnreadPart[] = [];
  const archive: OfficeArchive = {
    names,
    unread,
    bytes(name) {
      const entry = entryOf.get(keyOf(name));
      return entry === undefined ? undefined : unzipSync(file, { filter: ({ name: other }) => other === entry })[entry];
    },
    text(name) {
      const bytes = archive.bytes(name);
      return bytes && decodeXml(bytes);
    },
    xml(name) {
      const text = archive.text(name);
      const root = text === undefined ? undefined : rootOf(text);
      if (unread.length === 0 && isDeeperThan(maxDepth, root)) {
        const message = `Parts of the file inside of more than ${maxDepth} others were not read.`;
        unread.push({ kind: 'other', message });
      }
      return root;
    },
    relations(name) {
      const slash = name.lastIndexOf('/');
      const folder = name.slice(0, slash + 1);
      const root = archive.xml(`${folder}_rels/${name.slice(slash + 1)}.rels`);
      return new Map(
        childElements(root).map(({ attribs }) => [
          attribs['Id'] ?? '',
          {
            type: (attribs['Type'] ?? '').split('/').at(-1)!,
            target:
              attribs['TargetMode'] === 'External' ? (attribs['Target'] ?? '') : resolve(folder, attribs['Target']),
          },
        ]),
      );
    },
  };
  return archive;
}

/** Level by level: elements can be inside of each other without end. */
function isDeeperThan(depth: number, root: XmlElement | undefined): boolean {
  let level = root === undefined ? [] : [root];
  for (let at = 0; at < depth && level.length > 0; at += 1) level = level.flatMap((element) => childElements(element));
  return level.length > 0;
}

/** The text of an XML part: UTF-8, or UTF-16 with its mark. */
function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return strFromU8(bytes[0] === 0xef && bytes[1] === 0xbb ? bytes.subarray(3) : bytes);
}

/** The root element of an XML text. Names have the usual prefixes of their namespaces, also if the file declares others. */
export function rootOf(xml: string): XmlElement | undefined {
  const root = childElements(parseDocument(xml, { xmlMode: true }))[0];
  if (root !== undefined && hasOtherPrefixes(xml)) renamePrefixes(root);
  return root;
}

export function childElements(parent: { children: XmlNode[] } | undefined, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const node of parent?.children ?? []) {
    if ('attribs' in node && (name === undefined || node.name === name)) found.push(node);
  }
  return found;
}

export function firstChild(parent: { children: XmlNode[] } | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((node): node is XmlElement => 'attribs' in node && node.name === name);
}

/**
 * Relationships that name different parts, in their order: a file can name one part by as many relationships as it likes.
 * Leaves out those of the parts that are in `read`, and adds the others to it.
 */
export function distinctRelations(
  relations: ReadonlyMap<string, Relation>,
  read: Set<string> = new Set(),
): readonly Relation[] {
  return [...relations.values()].filter(({ type, target }) => {
    const key = `${type} ${keyOf(target)}`;
    if (read.has(key)) return false;
    read.add(key);
    return true;
  });
}

function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
}

function resolve(folder: string, target = ''): string {
  const path = target.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
}
