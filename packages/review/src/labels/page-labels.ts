import type { DescribedField } from './described-field.ts';
import { meantWords, wordsIn, type Meaning } from './field-words.ts';
import { readLabel, type Label } from './label.ts';
import { cellAbove, cellBelow, cellsOf, type LinePart } from './page-cells.ts';
import { keyOf, valuesIn, type Form } from './typed-values.ts';
import { eachInSteps, finish, type Steps } from '../steps/steps.ts';

/** Longer texts are read as far as this. */
const maxText = 200_000;
/** A page of business has fewer cells that matter; a hostile one has as many as letters. */
const maxCells = 10_000;
const maxValues = 5_000;
/** Cells with the same word. Each is compared with each field. */
const maxAlike = 500;

/** A value of a form, with the texts before and above it. */
export interface ValueOnPage {
  cell: LinePart;
  text: string;
  /** What two writings of the same value have in common. */
  key: string;
  /** The text before it in its cell; undefined at its start. */
  before: Label | undefined;
  /** The text before it on its line, or the heading of its column. */
  label: Label | undefined;
}

/** The text of pages, by its labels and the values beside them. It is read once for all fields. */
export class PageLabels {
  #text = '';
  readonly #lines: LinePart[][] = [];
  readonly #labels = new Map<LinePart, Label>();
  readonly #byMeaning = new Map<Meaning, LinePart[]>();
  readonly #byWord = new Map<string, LinePart[]>();
  readonly #values = new Map<Form, readonly ValueOnPage[]>();

  constructor(text: string) {
    finish(this.#read(text));
  }

  /**
   * Reads a text in steps: that of a long document takes longer than other work can wait.
   *
   * @example
   * import { PageLabels } from '@docwright/review';
   * const steps = PageLabels.inSteps('Total  12.50');
   * let step = steps.next();
   * while (!step.done) step = steps.next();
   * console.log(step.value.lines.length); // 1
   */
  static *inSteps(text: string): Steps<PageLabels> {
    const page = new PageLabels('');
    page.#lines.length = 0;
    yield* page.#read(text);
    return page;
  }

  get text(): string {
    return this.#text;
  }

  get lines(): readonly (readonly LinePart[])[] {
    return this.#lines;
  }

  *#read(text: string): Steps<void> {
    this.#text = text;
    let count = 0;
    for (const [number, line] of text.slice(0, maxText).split('\n').entries()) {
      if (count >= maxCells) break;
      const cells = cellsOf(line, number);
      count += cells.length;
      this.#lines.push(cells);
    }
    yield* eachInSteps(this.#lines.flat(), (cell) => {
      const words = wordsIn(cell.text);
      for (const word of new Set(words)) add(this.#byWord, word, cell);
      for (const meaning of new Set(meantWords(words).flatMap(({ meanings }) => meanings)))
        add(this.#byMeaning, meaning, cell);
    });
  }

  /** The cells that can have the label of a field. */
  candidates({ topics, words, meanings }: DescribedField): readonly LinePart[] {
    const [first] = words;
    if (first !== undefined) return this.#byWord.get(first) ?? [];
    const wanted = topics.length === 1 ? topics[0]! : [...meanings];
    return [...new Set(wanted.flatMap((meaning) => this.#byMeaning.get(meaning) ?? []))];
  }

  hasMeaning(meaning: Meaning): boolean {
    return this.#byMeaning.has(meaning);
  }

  /** A whole cell, read as a label. */
  label(cell: LinePart): Label {
    const known = this.#labels.get(cell);
    if (known) return known;
    const label = readLabel(cell.text);
    this.#labels.set(cell, label);
    return label;
  }

  /** The values of a form. */
  values(form: Form): readonly ValueOnPage[] {
    const known = this.#values.get(form);
    if (known) return known;
    const found: ValueOnPage[] = [];
    for (const cells of this.lines) {
      for (const [column, cell] of cells.entries()) {
        if (found.length >= maxValues) break;
        for (const text of valuesIn(cell.text, form)) found.push(this.#labelled(cells, column, text, form));
      }
    }
    this.#values.set(form, found);
    return found;
  }

  #labelled(cells: readonly LinePart[], column: number, text: string, form: Form): ValueOnPage {
    const cell = cells[column]!;
    const inside = cell.text.slice(0, cell.text.indexOf(text));
    const before = inside.trim() === '' ? undefined : readLabel(inside);
    return { cell, text, key: keyOf(text, form), before, label: this.#labelAt(cells, column, inside, before) };
  }

  #labelAt(cells: readonly LinePart[], column: number, inside: string, before: Label | undefined): Label | undefined {
    if (isWord(inside)) return before;
    const left = cells.slice(0, column).findLast(({ text }) => isWord(text));
    if (left) return this.label(left);
    const above = cellAbove(cells[column]!, this.lines);
    const isHeading = above && !/\d/u.test(above.text) && cellBelow(above, this.lines) === cells[column];
    return isHeading ? this.label(above) : undefined;
  }
}

const isWord = (text: string): boolean => /\p{L}{3}/u.test(text);

function add<Key>(index: Map<Key, LinePart[]>, key: Key, cell: LinePart): void {
  const cells = index.get(key);
  if (cells) {
    if (cells.length < maxAlike) cells.push(cell);
  } else index.set(key, [cell]);
}
