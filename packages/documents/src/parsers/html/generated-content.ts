import { parseDocument } from 'htmlparser2';
import { numberText } from '../number-text.ts';
import type { XmlElement } from '../office-archive.ts';
import type { Declarations, StyleSheets } from './style-sheet.ts';

/** A number that style sheets count, and the element below which it is known. */
interface Counter {
  owner: unknown;
  value: number;
}

const part =
  /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|counter(s?)\(\s*([\w-]+)\s*(?:,\s*["']([^"']*)["'])?\s*(?:,\s*([\w-]+))?\s*\)|attr\(\s*([\w-]+)\s*\)|(open|close)-quote|(\/)/g;
const maxText = 2_000;
const maxJoin = 100;
/** A declaration with more counters counts the first ones. */
const maxCounted = 100;
const maxCounters = 1_000;

/** The texts that style sheets write before and after elements, such as labels and the numbers of clauses. */
export class GeneratedContent {
  readonly #sheets: StyleSheets;
  readonly #known = new WeakSet<XmlElement>();
  /** The declarations of the elements that stand for generated texts. */
  readonly #generated = new WeakMap<XmlElement, Declarations>();
  readonly #counters = new Map<string, Counter[]>();
  #ancestors: { of: XmlElement | undefined; all: ReadonlySet<unknown> } = { of: undefined, all: new Set() };

  constructor(sheets: StyleSheets) {
    this.#sheets = sheets;
  }

  declarationsOf(element: XmlElement): Declarations {
    return this.#generated.get(element) ?? this.#sheets(element);
  }

  /** Adds the generated texts to an element that is seen, in the order of the page, once. */
  addTo(element: XmlElement, declared: Declarations): void {
    if (this.#known.has(element)) return;
    this.#known.add(element);
    if (this.#generated.has(element)) return;
    this.#count(element.parent, element, declared);
    for (const place of ['before', 'after'] as const) {
      const own = this.#sheets(element, place);
      if (own.size > 0) this.#count(element, element, own);
      const quote = element.name === 'q' ? (place === 'before' ? 'open-quote' : 'close-quote') : '';
      const text = this.#textOf(own.get('content') ?? quote, element);
      if (text === '') continue;
      const [added] = parseDocument('<span>.</span>').children as [XmlElement];
      const [node] = added.children;
      if (node !== undefined && 'data' in node) node.data = text;
      this.#generated.set(added, own);
      added.parent = element;
      if (place === 'before') element.children.unshift(added);
      else element.children.push(added);
    }
  }

  /** What a style sheet writes in place of the mark of an item. */
  markerOf(element: XmlElement): string | undefined {
    const content = this.#sheets(element, 'marker').get('content');
    return content === undefined || content === 'normal' ? undefined : this.#textOf(content, element);
  }

  /** The signs around a quotation: those that the nearest element around it declares, of its depth. */
  #quotesAt(element: XmlElement): readonly string[] {
    const around: XmlElement[] = [];
    for (let each: XmlElement['parent'] = element; each && 'attribs' in each; each = each.parent) around.push(each);
    const declared = around.map((each) => this.declarationsOf(each).get('quotes')).find((each) => each !== undefined);
    if (declared === 'none') return ['', ''];
    const own = [...(declared ?? '').matchAll(/"([^"]*)"|'([^']*)'/gu)].map(([, one, other]) =>
      unescaped(one ?? other!),
    );
    const signs = own.length > 1 ? own : ['“', '”', '‘', '’'];
    const depth = Math.max(0, around.filter(({ name }) => name === 'q').length - 1);
    const at = 2 * Math.min(depth, Math.floor(signs.length / 2) - 1);
    return signs.slice(at, at + 2);
  }

  #count(owner: unknown, element: XmlElement, declared: Declarations): void {
    for (const [name, value] of countersIn(declared.get('counter-reset'), 0)) {
      if (this.#counters.size >= maxCounters && !this.#counters.has(name)) return;
      const list = this.#listOf(name, element);
      if (list.at(-1)?.owner === owner) list.pop();
      list.push({ owner, value });
    }
    for (const property of ['counter-set', 'counter-increment'] as const) {
      for (const [name, value] of countersIn(declared.get(property), property === 'counter-set' ? 0 : 1)) {
        if (this.#counters.size >= maxCounters && !this.#counters.has(name)) return;
        const list = this.#listOf(name, element);
        if (list.length === 0) list.push({ owner, value: 0 });
        const last = list.at(-1)!;
        last.value = property === 'counter-set' ? value : last.value + value;
      }
    }
  }

  /** The counters of a name that an element knows, the innermost last. */
  #listOf(name: string, element: XmlElement): Counter[] {
    const list = this.#counters.get(name) ?? [];
    this.#counters.set(name, list);
    if (list.length === 0) return list;
    const around = this.#ancestorsOf(element);
    while (list.length > 0 && !around.has(list.at(-1)!.owner)) list.pop();
    return list;
  }

  /** An element with those around it, which are looked up for each of its counters. */
  #ancestorsOf(element: XmlElement): ReadonlySet<unknown> {
    if (this.#ancestors.of === element) return this.#ancestors.all;
    const all = new Set<unknown>();
    for (let each: unknown = element; each; each = (each as { parent?: unknown }).parent) all.add(each);
    this.#ancestors = { of: element, all };
    return all;
  }

  #textOf(content: string, element: XmlElement): string {
    let text = '';
    for (const [, double, single, all, name, join = '', style = 'decimal', attribute, quote, rest] of content.matchAll(
      part,
    )) {
      // What follows is read aloud instead.
      if (rest !== undefined || text.length > maxText) break;
      if (name !== undefined) {
        const list = this.#listOf(name, element);
        const shown = (all === '' ? list.slice(-1) : list).map(({ value }) => numberText(value, style));
        text += shown.length === 0 ? numberText(0, style) : shown.join(join.slice(0, maxJoin));
      } else if (attribute !== undefined) text += element.attribs[attribute.toLowerCase()] ?? '';
      else if (quote !== undefined) text += this.#quotesAt(element)[quote === 'open' ? 0 : 1] ?? '';
      else text += unescaped(double ?? single ?? '');
    }
    // Icons have codes for private use.
    return text.slice(0, maxText).replaceAll(/[\uE000-\uF8FF]/gu, '');
  }
}

function countersIn(value: string | undefined, usual: number): [name: string, value: number][] {
  if (value === undefined || value === 'none') return [];
  const found = value.matchAll(/([a-z_-][\w-]*)(?:\s+(-?\d+))?/gi);
  return [...found.take(maxCounted)].map(([, name = '', digits]) => [
    name,
    digits === undefined ? usual : Number(digits),
  ]);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/giu, (_, hex: string | undefined, sign = '') => {
    const code = Number.parseInt(hex ?? '', 16);
    return hex === undefined ? String(sign) : code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  });
}
