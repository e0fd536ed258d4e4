import type { PageIndex } from './page-index.ts';
import { lineOf, type Place } from './place.ts';

/** Weight of a value for the row that it is on, and for rows one and two lines away. */
const nearnessWeights = [1, 0.55, 0.3];

interface Option {
  line: number;
  /** The score of the best assignment of all elements up to this one. */
  score: number;
  before: Option | undefined;
  element: number;
}

/**
 * Assigns a line to each element of a list, so that the values of an element are together and the elements follow each
 * other down the pages, in steps. `elements` has the places of each value of each element.
 */
export function* chooseRows(
  index: PageIndex,
  elements: readonly (readonly (readonly Place[])[])[],
  canShareLine: boolean,
): Generator<void, (number | undefined)[], undefined> {
  const minDistance = canShareLine ? 0 : 1;
  const reached = bestUpToLine(index.lineStarts.length);
  for (const [element, values] of elements.entries()) {
    yield;
    const support = supportOf(index, values);
    const options = [...support].map(([line, evidence]): Option => {
      const before = reached.best(line - minDistance);
      return { line, score: evidence + (before?.score ?? 0), before, element };
    });
    for (const option of options) reached.add(option);
  }
  const rows = elements.map((): number | undefined => undefined);
  for (let option = reached.best(index.lineStarts.length - 1); option; option = option.before)
    rows[option.element] = option.line;
  return rows;
}

/** The best option up to each line, as a Fenwick tree: its steps per option grow with the logarithm of the lines. */
function bestUpToLine(lines: number) {
  const nodes = Array.from({ length: lines + 1 }, (): Option | undefined => undefined);
  const isBetter = (option: Option, other: Option | undefined): boolean =>
    !other || option.score > other.score || (option.score === other.score && option.line < other.line);
  return {
    add(option: Option): void {
      for (let node = option.line + 1; node <= lines; node += node & -node)
        if (isBetter(option, nodes[node])) nodes[node] = option;
    },
    best(line: number): Option | undefined {
      let best: Option | undefined;
      for (let node = Math.min(line, lines - 1) + 1; node > 0; node -= node & -node) {
        const option = nodes[node];
        if (option && isBetter(option, best)) best = option;
      }
      return best;
    },
  };
}

/** The evidence for each line: the values on it and near it, with more weight for rare ones. */
function supportOf(index: PageIndex, values: readonly (readonly Place[])[]): Map<number, number> {
  const support = new Map<number, number>();
  const direct = new Set<number>();
  for (const places of values) {
    const ofValue = new Map<number, number>();
    const rarity = 1 / (1 + Math.log(Math.max(1, places.length)));
    for (const place of places) {
      const line = lineOf(index, place);
      direct.add(line);
      for (let distance = -2; distance <= 2; distance += 1) {
        const weight = place.fit * rarity * nearnessWeights[Math.abs(distance)]!;
        if (weight > (ofValue.get(line + distance) ?? 0)) ofValue.set(line + distance, weight);
      }
    }
    for (const [line, weight] of ofValue) support.set(line, (support.get(line) ?? 0) + weight);
  }
  for (const line of support.keys()) if (!direct.has(line)) support.delete(line);
  return support;
}
