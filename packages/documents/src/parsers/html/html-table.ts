import { ElementType } from 'htmlparser2';
import type { Block, TableCell } from '../../flow/block.ts';
import type { XmlElement, XmlNode } from '../office-archive.ts';
import type { HtmlFlow } from './html-flow.ts';
import type { Look } from './look.ts';

/** The reader of the page that contains a table. */
export interface TableHost {
  flow: HtmlFlow;
  lookOf(element: XmlElement, parent: Look): { look: Look };
  nodes(nodes: readonly XmlNode[], look: Look, depth: number): void;
  element(element: XmlElement, parent: Look, depth: number): void;
  /** Whether an element is inside of too many others to be read, which is noted. */
  isTooDeep(depth: number): boolean;
  /** Counts a node that is not seen. */
  hide(node: XmlNode): void;
}

type Groups = Record<'head' | 'body' | 'foot', TableCell[][]>;

/** Adds a table: its caption, then its rows, with those of the head first and those of the foot last. */
export function addTable(table: XmlElement, look: Look, depth: number, host: TableHost): void {
  host.flow.endLine();
  const groups: Groups = { head: [], body: [], foot: [] };
  addRows(table.children, look, depth + 1, { host, groups, group: 'body' });
  host.flow.endLine();
  const rows = [...groups.head, ...groups.body, ...groups.foot].filter((row) => row.length > 0);
  if (rows.length > 0) host.flow.blocks.push({ kind: 'table', rows });
}

function addRows(
  nodes: readonly XmlNode[],
  around: Look,
  depth: number,
  target: { host: TableHost; groups: Groups; group: keyof Groups },
): void {
  const { host, groups, group } = target;
  if (host.isTooDeep(depth)) return;
  for (const node of nodes) {
    if (!('attribs' in node)) {
      if (node.type === ElementType.Text && node.data.trim() !== '') host.flow.text(node.data, around);
      continue;
    }
    const { look } = host.lookOf(node, around);
    const inner = (own: keyof Groups): void => addRows(node.children, look, depth + 1, { ...target, group: own });
    if (look.isGone) host.hide(node);
    else if (look.display === 'table-row') groups[group].push(cellsOfRow(node, look, depth + 1, host));
    else if (look.display === 'table-header-group') inner('head');
    else if (look.display === 'table-footer-group') inner('foot');
    else if (look.display === 'table-row-group' || node.name === 'form') inner(group);
    else if (look.display === 'table-cell') groups[group].push([cellOf(node, look, depth + 1, host)]);
    else host.element(node, around, depth + 1);
  }
}

export function cellsOfRow(row: XmlElement, look: Look, depth: number, host: TableHost): TableCell[] {
  return row.children.flatMap((node): TableCell[] => {
    if (!('attribs' in node)) {
      const text = node.type === ElementType.Text ? node.data.trim() : '';
      return text === '' ? [] : [{ blocks: host.flow.blocksOf(() => host.flow.text(text, look)) }];
    }
    const own = host.lookOf(node, look).look;
    if (!own.isGone) return [cellOf(node, own, depth + 1, host)];
    host.hide(node);
    return [];
  });
}

function cellOf(element: XmlElement, look: Look, depth: number, host: TableHost): TableCell {
  const { colspan, rowspan } = element.attribs;
  const read = (): void => {
    if (look.display === 'table-cell') host.nodes(element.children, look, depth + 1);
    else host.element(element, look, depth + 1);
  };
  const blocks: Block[] = host.isTooDeep(depth) ? [] : host.flow.blocksOf(read);
  return { blocks, columns: spanOf(colspan, 1_000), rows: spanOf(rowspan, 10_000) };
}

function spanOf(text: string | undefined, most: number): number {
  return Math.min(most, Math.max(1, Number.parseInt(text ?? '1', 10) || 1));
}

/** Whether the children of an element are side by side. */
function isRowOfItems(display: string, declared: ReadonlyMap<string, string>): boolean {
  if (/^(?:inline-)?flex$/.test(display)) {
    return !/column/.test(declared.get('flex-direction') ?? declared.get('flex-flow') ?? 'row');
  }
  return /^(?:inline-)?grid$/.test(display) && columnsOf(declared) > 1;
}

/**
 * Adds the children of a flex or grid element: side by side in rows of as many as there are columns, or one below the other. One text alone in
 * a line is a part of it.
 */
export function addItems(
  element: XmlElement,
  look: Look,
  depth: number,
  { declared, host }: { declared: ReadonlyMap<string, string>; host: TableHost },
): void {
  const { flow } = host;
  const isRow = isRowOfItems(look.display, declared);
  const isInLine = look.display.startsWith('inline-');
  if (!isInLine) flow.endLine();
  if (!isRow && !isInLine) {
    for (const child of element.children) {
      host.nodes([child], look, depth + 1);
      flow.endLine();
    }
    return;
  }
  const cells: TableCell[] = [];
  for (const child of element.children) {
    const blocks = flow.blocksOf(() => host.nodes([child], look, depth + 1));
    if (blocks.some(({ kind }) => kind !== 'gap')) cells.push({ blocks });
  }
  const [only] = cells.length === 1 && cells[0]!.blocks.length === 1 ? cells[0]!.blocks : [];
  if (isInLine && only?.kind === 'text') {
    flow.space();
    flow.line += only.text;
    flow.space();
    return;
  }
  if (cells.length === 0) return;
  flow.endLine();
  if (/reverse/.test(declared.get('flex-direction') ?? declared.get('flex-flow') ?? '')) cells.reverse();
  if (!isRow) {
    flow.blocks.push(...cells.flatMap(({ blocks }) => blocks));
    return;
  }
  const columns = /grid/.test(look.display) ? columnsOf(declared) : cells.length;
  const rows: TableCell[][] = [];
  for (let at = 0; at < cells.length; at += columns) rows.push(cells.slice(at, at + columns));
  flow.blocks.push({ kind: 'table', rows });
}

/** The number of columns of a grid. */
function columnsOf(declared: ReadonlyMap<string, string>): number {
  const template =
    declared.get('grid-template-columns') ?? /\/(.*)/.exec(declared.get('grid-template') ?? '')?.[1] ?? '';
  const repeated = template.replace(
    /repeat\(\s*(\d+)\s*,((?:[^()]|\([^()]*\))*)\)/g,
    (_, count: string, tracks: string) => `${tracks} `.repeat(Math.min(100, Number(count))),
  );
  return Math.max(
    1,
    repeated
      .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
      .trim()
      .split(/\s+/)
      .filter(Boolean).length,
  );
}
