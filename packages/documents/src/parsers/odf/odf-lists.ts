import { numberText } from '../number-text.ts';
import { childElements, type XmlElement } from '../office-archive.ts';

/** A list whose items are being read. */
export interface ListState {
  style: string | undefined;
  /** From 1. */
  level: number;
  /** The last number of each level. */
  counters: (number | undefined)[];
}

const formats: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** Numbers the items of the lists of an OpenDocument file. */
export class OdfLists {
  readonly #styles: ReadonlyMap<string, XmlElement>;
  /** Numbers of lists that others continue, by their id and by their style. */
  readonly #counters = new Map<string, (number | undefined)[]>();
  readonly #headings: (number | undefined)[] = [];

  constructor(styles: ReadonlyMap<string, XmlElement>) {
    this.#styles = styles;
  }

  begin({ attribs }: XmlElement, parent: ListState | undefined): ListState {
    const style = attribs['text:style-name'] ?? parent?.style;
    const level = (parent?.level ?? 0) + 1;
    if (parent !== undefined) {
      parent.counters[level] = undefined;
      return { style, level, counters: parent.counters };
    }
    const isContinued = attribs['text:continue-numbering'] === 'true';
    const counters =
      this.#counters.get(attribs['text:continue-list'] ?? '') ??
      (isContinued ? this.#counters.get(`style ${style}`) : undefined) ??
      [];
    this.#counters.set(`style ${style}`, counters);
    if (attribs['xml:id'] !== undefined) this.#counters.set(attribs['xml:id'], counters);
    return { style, level, counters };
  }

  /** The number before a heading, from the numbering of chapters. `levels` are its levels in the styles of the file. */
  heading(levels: readonly XmlElement[], level: number): string {
    const own = levelAt(levels, level);
    if (own === undefined) return '';
    this.#headings.length = level + 1;
    this.#headings[level] = (this.#headings[level] ?? Number(own.attribs['text:start-value'] ?? 1) - 1) + 1;
    return shownNumber(levels, own, level, this.#headings);
  }

  /** The number or bullet before an item. Empty for an item that only holds a further list. */
  label({ style, level, counters }: ListState, item: XmlElement): string {
    const levels = childElements(this.#styles.get(style ?? ''));
    const own = levelAt(levels, level);
    if (own === undefined || firstChildIsList(item)) return '';
    if (own.name !== 'text:list-level-style-number') return '•';
    const given = item.attribs['text:start-value'];
    const first = Number(own.attribs['text:start-value'] ?? 1);
    counters[level] = given === undefined ? (counters[level] ?? first - 1) + 1 : Number(given);
    return shownNumber(levels, own, level, counters);
  }
}

function levelAt(levels: readonly XmlElement[], depth: number): XmlElement | undefined {
  return levels.find(({ attribs }) => Number(attribs['text:level']) === depth);
}

/** A number with those of the levels above that are shown before it. */
function shownNumber(
  levels: readonly XmlElement[],
  own: XmlElement,
  level: number,
  counters: readonly (number | undefined)[],
): string {
  const shown = Math.min(level, Math.max(1, Number(own.attribs['text:display-levels'] ?? 1)));
  const numbers = Array.from({ length: shown }, (_, index) => {
    const depth = level - shown + 1 + index;
    const format = formats[levelAt(levels, depth)?.attribs['style:num-format'] ?? ''] ?? 'none';
    return numberText(counters[depth] ?? 1, format);
  });
  // A level without a number of its own shows none of those above.
  const label = numbers.at(-1) === '' ? '' : numbers.filter(Boolean).join('.');
  if (label === '') return '';
  return `${own.attribs['style:num-prefix'] ?? ''}${label}${own.attribs['style:num-suffix'] ?? ''}`.trim();
}

/** Whether an item of a list only holds a further list. */
export function firstChildIsList(item: XmlElement): boolean {
  return childElements(item)[0]?.name === 'text:list';
}
