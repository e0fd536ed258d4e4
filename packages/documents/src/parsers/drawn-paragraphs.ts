import { childElements, type XmlElement } from './office-archive.ts';

/** The paragraphs of DrawingML below an element: of shapes, charts and diagrams. */
export function drawnParagraphs(root: XmlElement | undefined): string[] {
  const found: string[] = [];
  // A stack instead of a recursion: a file can nest without end.
  const waiting = root === undefined ? [] : [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === 'a:p') {
      const text = drawnText(element).trim();
      if (text !== '') found.push(text);
    } else if (element.name !== 'mc:Fallback') waiting.push(...childElements(element).reverse());
  }
  return found;
}

/** The text of one paragraph of DrawingML. */
export function drawnText(paragraph: XmlElement): string {
  let text = '';
  for (const run of childElements(paragraph)) {
    if (run.name === 'a:br') text += '\n';
    if (run.name !== 'a:r' && run.name !== 'a:fld') continue;
    for (const part of childElements(run, 'a:t')) {
      for (const node of part.children) if ('data' in node) text += node.data;
    }
  }
  return text;
}
