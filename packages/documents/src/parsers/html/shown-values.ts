import type { PictureBlock } from '../../flow/block.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { DomUtils } from 'htmlparser2';
import { emptyBox, tickedBox } from '../../flow/tick-box.ts';
import { numberText } from '../number-text.ts';
import { decodeHtml } from './decode-html.ts';
import { childElements, type XmlElement } from '../office-archive.ts';

/** Controls that show no text of their own. */
const silentTypes = new Set(['hidden', 'file', 'range', 'color', 'image']);

/** What a control of a form shows: its value, its state or the chosen option. */
export function controlText(element: XmlElement): string {
  const { name, attribs } = element;
  if (name === 'select') return chosenOptions(element);
  if (name === 'textarea') return DomUtils.textContent(element).trim();
  if (name !== 'input') return '';
  const type = attribs['type']?.toLowerCase() ?? 'text';
  if (type === 'checkbox' || type === 'radio') return attribs['checked'] === undefined ? emptyBox : tickedBox;
  if (silentTypes.has(type)) return '';
  const value = attribs['value'];
  if (type === 'password') return '•'.repeat(Math.min(20, value?.length ?? 0));
  if (value === undefined && type === 'submit') return 'Submit';
  if (value === undefined && type === 'reset') return 'Reset';
  return value?.trim() ?? '';
}

function chosenOptions(select: XmlElement): string {
  const options = DomUtils.getElementsByTagName('option', select, true);
  const chosen = options.filter(({ attribs }) => attribs['selected'] !== undefined);
  const isList = select.attribs['multiple'] !== undefined;
  // Without a choice a browser shows the first option that can be chosen; a list shows all.
  const usual = isList ? [] : options.filter(({ attribs }) => attribs['disabled'] === undefined).slice(0, 1);
  const shown = chosen.length === 0 ? usual : isList ? chosen : chosen.slice(-1);
  return shown
    .map((option) => (option.attribs['label'] ?? DomUtils.textContent(option)).replace(/\s+/g, ' ').trim())
    .join(', ');
}

/** Numbers the items of one list. */
export type ListCounter = ReturnType<typeof listCounter>;

const bullets = new Set(['disc', 'circle', 'square']);

export function listCounter(list: XmlElement) {
  const isReversed = list.attribs['reversed'] !== undefined;
  const start = Number.parseInt(list.attribs['start'] ?? '', 10);
  let number = Number.isNaN(start) ? (isReversed ? childElements(list, 'li').length : 1) : start;
  return {
    /** The marker before an item, with a space. */
    next(item: XmlElement, style: string | undefined = 'disc') {
      const own = Number.parseInt(item.attribs['value'] ?? '', 10);
      if (!Number.isNaN(own)) number = own;
      const current = number;
      number += isReversed ? -1 : 1;
      if (style === 'none') return '';
      if (/^["']/.test(style)) return style.slice(1, -1);
      return bullets.has(style) ? '• ' : `${numberText(current, style)}. `;
    },
  };
}

/** Finds a picture that came with the page by its address: a part of a mail, a file beside the page. */
export type PictureSource = (address: string) => Uint8Array | undefined;

/** A picture with fewer pixels counts visitors or fills a gap. */
const minSide = 4;
const maxDataCharacters = 30_000_000;

/** The picture of an `img`: inline, or found by its source. Others are named, because nothing is fetched. */
export function readPicture(
  attribs: Readonly<Record<string, string>>,
  find: PictureSource,
): PictureBlock | { kind: 'unread'; part: UnreadPart } | undefined {
  const { srcset = '', alt = '' } = attribs;
  const src = attribs['src'] || srcset.trim().split(/[\s,]/)[0]!;
  const sides = [attribs['width'], attribs['height']].map((side) => Number.parseInt(side ?? '', 10));
  if (src === '' || sides.some((side) => side < minSide)) return undefined;
  const name = alt.trim() || (src.startsWith('data:') ? 'picture' : src.slice(src.lastIndexOf('/') + 1)) || 'picture';
  const bytes = src.startsWith('data:') ? dataOf(src) : find(src);
  if (bytes !== undefined) return { kind: 'picture', bytes, name };
  return {
    kind: 'unread',
    part: {
      kind: 'picture',
      name: name.slice(0, 200),
      message: 'A linked picture was not read, because nothing is fetched. Save the page as PDF and upload that.',
    },
  };
}

/** The bytes of a `data:` address. */
function dataOf(address: string): Uint8Array | undefined {
  const comma = address.indexOf(',');
  if (comma === -1 || address.length > maxDataCharacters) return undefined;
  const data = address.slice(comma + 1);
  if (/;\s*base64\s*$/i.test(address.slice(0, comma)))
    return Buffer.from(
      data.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'base64',
    );
  return Buffer.from(
    data.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

const inlinePicture = /url\(\s*["']?(data:image\/[^"')]+)/i;

/** The picture that a style has as the background of an element, if the page holds it itself. */
export function backgroundPicture(declared: ReadonlyMap<string, string>): ReturnType<typeof readPicture> {
  const [, src] = inlinePicture.exec(declared.get('background-image') ?? declared.get('background') ?? '') ?? [];
  return src === undefined ? undefined : readPicture({ src, alt: 'background' }, () => undefined);
}

/** Whether a browser can show an embedded object itself. In place of another one it shows the content of the element. */
export function isShownObject({ data = '', type = '' }: Readonly<Record<string, string>>): boolean {
  const kind = type.split(';')[0]!.trim().toLowerCase();
  return data !== '' && /^(?:|(?:text|image|audio|video)\/.*|application\/(?:pdf|xml|json|xhtml\+xml))$/.test(kind);
}

/** The page that a frame holds itself, as text. */
export function pageInside({ attribs }: XmlElement): string | undefined {
  if (attribs['srcdoc'] !== undefined) return attribs['srcdoc'];
  const src = attribs['src'] ?? '';
  const bytes = /^data:text\/html[;,]/i.test(src) ? dataOf(src) : undefined;
  return bytes && decodeHtml(bytes);
}
