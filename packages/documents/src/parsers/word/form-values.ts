import { emptyBox, tickedBox } from '../../flow/tick-box.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { valueOf } from './numbering.ts';

/** The state of a content control that is a tick box. */
export function checkBox(control: XmlElement): string | undefined {
  const properties = firstChild(control, 'w:sdtPr');
  const box = firstChild(properties, 'w14:checkbox');
  if (box === undefined) return undefined;
  const state = firstChild(box, 'w14:checked')?.attribs['w14:val'];
  return state === '1' || state === 'true' ? tickedBox : emptyBox;
}

/** What a form field of older Word files shows, if that is not its result. */
export function legacyFieldValue(data: XmlElement | undefined): string | undefined {
  const box = firstChild(data, 'w:checkBox');
  if (box !== undefined) {
    const state = firstChild(box, 'w:checked') ?? firstChild(box, 'w:default');
    return state !== undefined && !/^(?:0|false|off)$/.test(valueOf(state) ?? '') ? tickedBox : emptyBox;
  }
  const list = firstChild(data, 'w:ddList');
  if (list === undefined) return undefined;
  const chosen = Number(valueOf(firstChild(list, 'w:result')) ?? valueOf(firstChild(list, 'w:default')) ?? 0);
  return valueOf(childElements(list, 'w:listEntry')[chosen]) ?? '';
}
