import type { Cell } from '../page/layout.ts';
import type { Concept } from './concept.ts';
import type { Found, PageContext } from './page-context.ts';
import { valueAtLabel } from './value-at-label.ts';

/** The reliability of a label alone, before the position of its value counts. */
const strongLabel = 3;
const weakLabel = 1.5;

interface LabelHit {
  /** Column in the cell where the label ends. */
  end: number;
  score: number;
}

/** Every value of the concept's kind beside or below one of its labels, the most reliable first, then in page order. */
export function labelledValues(concept: Concept, context: PageContext): Found<string | number>[] {
  const found: Found<string | number>[] = [];
  for (const line of context.lines) {
    for (const cell of line.cells) {
      for (const { end, score } of labelHits(concept, cell)) {
        const value = valueAtLabel({ line, cell, end }, concept.kind, context);
        if (value) found.push({ ...value, score: score * value.score });
      }
    }
  }
  return found.sort((a, b) => b.score - a.score || a.line.index - b.line.index);
}

function labelHits(concept: Concept, cell: Cell): LabelHit[] {
  const hits: LabelHit[] = [];
  const collect = (pattern: RegExp, base: number) => {
    for (const match of cell.folded.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (hits.some((hit) => hit.end >= end)) continue;
      const around = cell.folded.slice(Math.max(0, match.index - 24), end + 16);
      if (concept.not?.test(around)) continue;
      hits.push({ end, score: base + standing(cell, match.index, end) });
    }
  };
  collect(concept.labels, strongLabel);
  if (concept.weakLabels) collect(concept.weakLabels, weakLabel);
  return hits;
}

/** A label starts its cell or is followed by a colon. In running text the same words are often not a label. */
function standing(cell: Cell, start: number, end: number): number {
  const before = cell.folded.slice(0, start).replaceAll(/[^\p{L}]/gu, '');
  const after = cell.folded.slice(end).trimStart();
  const isEnd = after.startsWith(':') || after === '';
  return (before === '' ? 0.6 : -0.4 - Math.min(0.8, before.length / 30)) + (isEnd ? 0.4 : 0);
}
