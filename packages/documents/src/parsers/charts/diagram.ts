import { textBlock, type Block } from '../../flow/block.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';

/** Nodes below more others are read after all that hang together. */
const maxDepth = 100;

/**
 * The texts of a diagram (SmartArt) as blocks, from the part with its data: each node is followed by those below it, in the order in
 * which they are drawn. The part lists the nodes in the order in which somebody added them.
 */
export function diagramBlocks(root: XmlElement | undefined): Block[] {
  const points = childElements(firstChild(root, 'dgm:ptLst'), 'dgm:pt');
  if (points.length === 0) return drawnParagraphs(root).map((text) => textBlock(text));
  const byId = new Map(points.map((point) => [point.attribs['modelId'] ?? '', point]));
  const links = childElements(firstChild(root, 'dgm:cxnLst'), 'dgm:cxn').filter(
    ({ attribs }) => (attribs['type'] ?? 'parOf') === 'parOf',
  );
  const below = Map.groupBy(
    links.toSorted((one, other) => orderOf(one) - orderOf(other)),
    ({ attribs }) => attribs['srcId'] ?? '',
  );
  const ordered = new Set<XmlElement>();
  const add = (id: string, depth: number): void => {
    const point = byId.get(id);
    if (point === undefined || ordered.has(point) || depth > maxDepth) return;
    ordered.add(point);
    for (const { attribs } of below.get(id) ?? []) {
      add(attribs['parTransId'] ?? '', depth + 1);
      add(attribs['destId'] ?? '', depth + 1);
      add(attribs['sibTransId'] ?? '', depth + 1);
    }
  };
  for (const { attribs } of points) if (attribs['type'] === 'doc') add(attribs['modelId'] ?? '', 0);
  for (const point of points) ordered.add(point);
  return [...ordered].flatMap((point) => drawnParagraphs(point).map((text) => textBlock(text)));
}

function orderOf({ attribs }: XmlElement): number {
  return Number(attribs['srcOrd'] ?? 0);
}
