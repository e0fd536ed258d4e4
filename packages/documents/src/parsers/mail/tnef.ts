import { ParseFailure } from '../../reader/parse-failure.ts';
import { decodeAs } from '../html/decode-html.ts';

/** What a file `winmail.dat` holds, in which Outlook sends a mail to others than Outlook. */
export interface Tnef {
  subject: string | undefined;
  plain: string;
  html: Uint8Array | undefined;
  compressedRtf: Uint8Array | undefined;
  files: { name: string; bytes: Uint8Array; id?: string }[];
}

const signature = 0x223e9f78;
/** Attributes of the message and of its attachments. */
const attribute = {
  subject: 0x8004,
  body: 0x800c,
  data: 0x800f,
  title: 0x8010,
  start: 0x9002,
  message: 0x9003,
} as const;
const attachmentProperties = 0x9005;
const codePage = 0x9007;
/** Properties. */
const property = {
  subject: 0x0037,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  shownName: 0x3001,
  object: 0x3701,
} as const;
const fileName = { short: 0x3704, long: 0x3707, contentId: 0x3712 } as const;
const objectType = 0x0d;
const wideText = 0x1f;
const variableTypes = new Set([objectType, 0x1e, wideText, 0x102]);
const fixedSizes: Readonly<Record<number, number>> = { 5: 8, 6: 8, 7: 8, 0x14: 8, 0x40: 8, 0x48: 16 };
const maxValues = 10_000;
/** In the whole file: an attachment can take 11 bytes of it, and a property 8. */
const maxAttachments = 5_000;
const maxProperties = 200_000;

interface Value {
  type: number;
  bytes: Buffer;
}

interface Attachment {
  title: Buffer | undefined;
  data: Buffer | undefined;
  values: ReadonlyMap<number, Value>;
}

const noValues: ReadonlyMap<number, Value> = new Map();

/** Whether bytes are such a file. */
export function isTnef(bytes: Uint8Array): boolean {
  return bytes.length > 6 && bufferOf(bytes).readUInt32LE(0) === signature;
}

/**
 * Reads as far as the file goes: a damaged end keeps what stands before it.
 *
 * @throws ParseFailure `document_too_large`
 */
export function readTnef(bytes: Uint8Array): Tnef {
  const source = bufferOf(bytes);
  const attachments: Attachment[] = [];
  const message = new Map<number, Buffer>();
  let values = new Map<number, Value>();
  let properties = 0;
  const propertiesOf = (data: Buffer): Map<number, Value> => {
    const found = valuesOf(data);
    properties += found.size;
    return found;
  };
  for (let at = 6; at + 9 <= source.length;) {
    const id = source.readUInt16LE(at + 1);
    const end = at + 9 + source.readUInt32LE(at + 5);
    const data = source.subarray(at + 9, end);
    at = end + 2;
    const last = attachments.at(-1);
    if (attachments.length > maxAttachments || properties > maxProperties) {
      throw new ParseFailure(
        'document_too_large',
        `The file holds more than ${maxAttachments} attachments or ${maxProperties} properties. Open the mail in Outlook, save its attachments and upload them.`,
      );
    }
    if (id === attribute.start) attachments.push({ title: undefined, data: undefined, values: noValues });
    else if (id === attribute.title && last) last.title = data;
    else if (id === attribute.data && last) last.data = data;
    else if (id === attachmentProperties && last) last.values = propertiesOf(data);
    else if (id === attribute.message) values = propertiesOf(data);
    else message.set(id, data);
  }
  const encoding = encodingOf(message.get(codePage));
  const text = (value: Value | undefined, narrow?: Buffer): string | undefined => {
    const isWide = value?.type === wideText;
    const found = value?.bytes ?? narrow;
    if (found === undefined) return undefined;
    return (isWide ? found.toString('utf16le') : decodeAs(found, encoding)).replace(/\0+$/u, '');
  };
  return {
    subject: text(values.get(property.subject), message.get(attribute.subject)),
    plain: text(values.get(property.body), message.get(attribute.body)) ?? '',
    html: values.get(property.html)?.bytes,
    compressedRtf: values.get(property.rtf)?.bytes,
    files: attachments.flatMap((each, index) => {
      const own = (id: number): string | undefined => text(each.values.get(id)) || undefined;
      const object = each.values.get(property.object);
      // A mail inside of this one stands behind the name of its kind.
      const isMail = object?.type === objectType && isTnef(object.bytes.subarray(16));
      const content = isMail ? object.bytes.subarray(16) : (each.data ?? object?.bytes);
      if (content === undefined) return [];
      const shown =
        own(fileName.long) ?? own(fileName.short) ?? (text(undefined, each.title) || own(property.shownName));
      const name = shown ?? `attachment-${index + 1}`;
      const id = own(fileName.contentId);
      return [{ name: isMail ? `${name}.tnef` : name, bytes: content, ...(id !== undefined && { id }) }];
    }),
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function encodingOf(data: Buffer | undefined): string | undefined {
  const page = data && data.length >= 4 ? data.readUInt32LE(0) : 0;
  return page === 0 ? undefined : page === 65001 ? 'utf-8' : `cp${page}`;
}

/** The properties by their id, each with its first value. */
function valuesOf(data: Buffer): Map<number, Value> {
  const found = new Map<number, Value>();
  let at = 4;
  const number = (): number => {
    at += 4;
    return at > data.length ? 0 : data.readUInt32LE(at - 4);
  };
  const skip = (size: number): void => void (at += Math.ceil(size / 4) * 4);
  const count = Math.min(data.length < 4 ? 0 : data.readUInt32LE(0), maxValues);
  for (let read = 0; read < count && at + 4 <= data.length; read += 1) {
    const tag = number();
    const [id, kind] = [tag >>> 16, tag & 0xffff];
    if (id >= 0x8000) {
      at += 16;
      if (number() === 0) number();
      else skip(number());
    }
    const type = kind & 0x0fff;
    const isVariable = variableTypes.has(type);
    const values = isVariable || (kind & 0x1000) !== 0 ? Math.min(number(), maxValues) : 1;
    for (let value = 0; value < values && at < data.length; value += 1) {
      const size = isVariable ? number() : (fixedSizes[type] ?? 4);
      if (value === 0) found.set(id, { type, bytes: data.subarray(at, at + size) });
      skip(size);
    }
  }
  return found;
}
