import type { Concept } from '@docwright/language';
import type { LayoutCell } from '../../page/layout.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { PageContext } from '../reading/page-context.ts';
import { valueAtLabel } from './value-at-label.ts';

/** The fit of a label alone. Its position in the cell and the position of its value change it. */
const labelFit = 0.75;
const weakLabelFit = 0.375;

interface LabelHit {
  /** Column in the cell where the label ends. */
  end: number;
  source: 'label' | 'weak_label';
  fit: number;
}

/** All values beside or below the labels of a concept, the best fit first, then in page order. */
export function labelledValues(concept: Concept, context: PageContext): Candidate[] {
  const found: Candidate[] = [];
  for (const line of context.lines) {
    for (const cell of line.cells) {
      for (const { end, source, fit } of labelHits(concept, cell)) {
        const at = valueAtLabel({ line, cell, end }, concept.kind, context);
        if (!at) continue;
        const { place, ...value } = at;
        found.push({ ...value, source, fit: fit * place, isMarked: value.written.startsWith('#') });
      }
    }
  }
  return found.sort((a, b) => b.fit - a.fit || a.line.index - b.line.index);
}

function labelHits(concept: Concept, cell: LayoutCell): LabelHit[] {
  const hits: LabelHit[] = [];
  const collect = (pattern: RegExp, source: LabelHit['source'], base: number) => {
    for (const match of cell.folded.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (hits.some((hit) => hit.end >= end)) continue;
      const around = cell.folded.slice(Math.max(0, match.index - 24), end + 16);
      if (concept.not?.test(around)) continue;
      hits.push({ end, source, fit: base + positionFit(cell, match.index, end) });
    }
  };
  collect(concept.labels, 'label', labelFit);
  if (concept.weakLabels) collect(concept.weakLabels, 'weak_label', weakLabelFit);
  return hits;
}

/** A label starts its cell, or ends it or has a colon after it. The same words in running text are often not a label. */
function positionFit(cell: LayoutCell, start: number, end: number): number {
  const before = cell.folded.slice(0, start).replaceAll(/[^\p{L}]/gu, '');
  const after = cell.folded.slice(end).trimStart();
  const isEnd = after.startsWith(':') || after === '';
  return (before === '' ? 0.15 : -0.1 - Math.min(0.2, before.length / 120)) + (isEnd ? 0.1 : 0);
}
