import { textInFont } from '../flow/symbol-text.ts';
import { equationText } from './equation.ts';
import { childElements, firstChild, type XmlElement } from './office-archive.ts';
import { withRaisedDigits, type RaisedPlace } from './raised-digits.ts';

/** The paragraphs of DrawingML below an element: of shapes, charts and diagrams. */
export function drawnParagraphs(root: XmlElement | undefined): string[] {
  const found: string[] = [];
  // A stack instead of a recursion: a file can nest without end.
  const waiting = root === undefined ? [] : [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === 'a:p') {
      const text = drawnText(element).trim();
      if (text !== '') found.push(text);
    } else if (element.name !== 'mc:Fallback' && !isHidden(element)) {
      waiting.push(...childElements(element).reverse());
    }
  }
  return found;
}

/** Whether an element is a shape that is not shown. */
function isHidden(element: XmlElement): boolean {
  const properties = childElements(element).find(({ name }) => /:nv\w*Pr$/u.test(name));
  const named = childElements(properties).find(({ name }) => name.endsWith(':cNvPr'));
  return /^(?:1|true)$/u.test(named?.attribs['hidden'] ?? '');
}

/** The text of one paragraph of DrawingML. `isCapital`: its runs are drawn in capital letters, save where they say otherwise. */
export function drawnText(paragraph: XmlElement, isCapital = false): string {
  let text = '';
  for (const run of childElements(paragraph)) {
    if (run.name === 'a:br') text += '\n';
    // An equation, which older programs show as a picture.
    if (run.name === 'mc:AlternateContent') text += equationText(firstChild(run, 'mc:Choice') ?? run);
    if (run.name === 'a14:m') text += equationText(run);
    if (run.name !== 'a:r' && run.name !== 'a:fld') continue;
    const properties = firstChild(run, 'a:rPr');
    const look = properties?.attribs['cap'];
    const isDrawnCapital = look === undefined ? isCapital : look === 'all';
    for (const part of childElements(run, 'a:t')) {
      for (const node of part.children) {
        if (!('data' in node)) continue;
        const shown = textInFont(node.data, fontOf(properties, node.data));
        text += withRaisedDigits(text, isDrawnCapital ? shown.toUpperCase() : shown, placeOf(properties));
      }
    }
  }
  return text;
}

/** Where a run stands beside its line: in thousandths of a percent. */
function placeOf(properties: XmlElement | undefined): RaisedPlace | undefined {
  const share = Number(properties?.attribs['baseline'] ?? 0);
  return share > 0 ? 'super' : share < 0 ? 'sub' : undefined;
}

const symbolCodes = /[\uf000-\uf0ff]/u;

/** The font of a run; of signs, that for signs. */
function fontOf(properties: XmlElement | undefined, text: string): string | undefined {
  const named = (kind: string): string | undefined => firstChild(properties, kind)?.attribs['typeface'];
  return (symbolCodes.test(text) ? named('a:sym') : undefined) ?? named('a:latin');
}
