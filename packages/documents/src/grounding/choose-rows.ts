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
 * other down the pages. `elements` has the places of each value of each element.
 */
export function chooseRows(
  index: PageIndex,
  elements: readonly (readonly (readonly Place[])[])[],
  canShareLine: boolean,
): (number | undefined)[] {
  const minDistance = canShareLine ? 0 : 1;
  let reached: Option[] = [];
  for (const [element, values] of elements.entries()) {
    const support = supportOf(index, values);
    const lines = [...support.keys()].sort((a, b) => a - b);
    const options: Option[] = [];
    let next = 0;
    let best: Option | undefined;
    for (const line of lines) {
      while (next < reached.length && reached[next]!.line <= line - minDistance) {
        if (!best || reached[next]!.score > best.score) best = reached[next];
        next += 1;
      }
      options.push({ line, score: support.get(line)! + (best?.score ?? 0), before: best, element });
    }
    reached = frontier(reached, options);
  }
  const rows = elements.map((): number | undefined => undefined);
  let option = reached.reduce<Option | undefined>(
    (best, other) => (best && best.score >= other.score ? best : other),
    undefined,
  );
  for (; option; option = option.before) rows[option.element] = option.line;
  return rows;
}

/** For each line, the better of assigning this element to it and of skipping it. */
function frontier(reached: readonly Option[], options: readonly Option[]): Option[] {
  const byLine = new Map(reached.map((option) => [option.line, option]));
  for (const option of options) {
    const other = byLine.get(option.line);
    if (!other || option.score > other.score) byLine.set(option.line, option);
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line);
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
