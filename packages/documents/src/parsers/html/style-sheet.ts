import { compile } from 'css-select';
import type { XmlElement } from '../office-archive.ts';

/** Declarations by property, in lower case. */
export type Declarations = Map<string, string>;

/** What of an element a rule is for. */
type Part = 'element' | 'before' | 'after' | 'marker';

/** Finds the declarations of a page's own style sheets. */
export type StyleSheets = (element: XmlElement, part?: Part) => Declarations;

interface Rule {
  part: Part;
  matches: (element: XmlElement) => boolean;
  specificity: number;
  declarations: Declarations;
}

/** The properties that decide what is seen and how it is laid out. */
const usedProperties =
  /^(?:--[\w-]+|display|visibility|opacity|content-visibility|filter|zoom|margin-left|margin-top|padding-(?:left|top)|padding|bottom|contain|box-sizing|min-height|backface-visibility|(?:inline|block)-size|max-block-size|(?:-webkit-)?mask-image|-webkit-clip-path|rotate|scale|translate|-webkit-text-fill-color|(?:-webkit-)?background-clip|text-shadow|font-size|color|background(?:-color|-image)?|position|left|top|right|text-indent|clip|clip-path|width|height|max-height|max-width|overflow(?:-[xy])?|transform|text-transform|white-space|list-style(?:-type)?|flex-direction|flex-flow|grid-template-columns|grid-template|content|counter-(?:reset|set|increment)|quotes|vertical-align|fill|stroke|font|margin|(?:margin|inset)-(?:inline|block)-start|inset|(?:-webkit-)?mask)$/;
/** As wide as a common window. */
const viewportWidth = 1280;
const maxRules = 5_000;
/** A page that needs more comparisons is read without the rest of its rules. */
const maxComparisons = 20_000_000;

/** The declarations of a page's own style sheets for an element, most important last. */
export function readStyleSheets(sheets: readonly string[]): StyleSheets {
  const rules: Rule[] = [];
  for (const sheet of sheets) addRules(sheet.replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, ''), rules, 0);
  rules.sort((a, b) => a.specificity - b.specificity);
  const byPart = Map.groupBy(rules, ({ part }) => part);
  let comparisons = 0;
  return (element, part = 'element') => {
    const found: Declarations = new Map();
    const important: Declarations = new Map();
    for (const rule of byPart.get(part) ?? []) {
      comparisons += 1;
      if (comparisons > maxComparisons) break;
      if (rule.matches(element)) merge(rule.declarations, found, important);
    }
    if (part === 'element') merge(parseDeclarations(element.attribs['style'] ?? ''), found, important);
    for (const [property, value] of important) found.set(property, value);
    return found;
  };
}

function merge(from: Declarations, normal: Declarations, important: Declarations): void {
  for (const [property, value] of from) {
    if (/!\s*important$/i.test(value)) important.set(property, value.replace(/!\s*important$/i, '').trim());
    else normal.set(property, value);
  }
}

/** @param parent the selectors of the rule that these rules stand in */
function addRules(css: string, rules: Rule[], depth: number, parent?: string): void {
  let at = 0;
  while (at < css.length && rules.length < maxRules) {
    const open = css.indexOf('{', at);
    if (open === -1) return;
    const close = closingBrace(css, open);
    const prelude = css.slice(at, open).split(';').at(-1)!.trim();
    const body = css.slice(open + 1, close);
    at = close + 1;
    const inside = depth < maxRuleDepth;
    const [, media] = /^@media\b(.*)$/is.exec(prelude) ?? [];
    const [, scope] = /^@scope\s*\(([^()]*)\)/i.exec(prelude) ?? [];
    if (media !== undefined) {
      if (inside && isOnScreen(media)) addRules(body, rules, depth + 1, parent);
    } else if (/^@(?:supports|layer|container)\b/i.test(prelude)) {
      if (inside) addRules(body, rules, depth + 1, parent);
    } else if (scope !== undefined) {
      if (inside) addRules(body, rules, depth + 1, scope);
    } else if (!prelude.startsWith('@')) {
      const selectors = parent === undefined ? prelude : nestedIn(parent, prelude);
      const { own, rules: inner } = splitNested(body);
      addRule(selectors, own, rules);
      if (inner !== '' && inside && selectors.length <= maxSelectors) addRules(inner, rules, depth + 1, selectors);
    }
  }
}

const maxRuleDepth = 10;
/** Characters of selectors that hold further rules. */
const maxSelectors = 1_000;

/** What the selectors of a rule inside of another one stand for. */
const nestedIn = (parent: string, selectors: string): string =>
  splitSelectors(selectors)
    .map((selector) =>
      selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector.trim()}`,
    )
    .join(',');

/** The declarations of a rule and the rules inside of it. */
function splitNested(body: string): { own: string; rules: string } {
  let [own, rules, at] = ['', '', 0];
  for (let open = body.indexOf('{'); open !== -1; open = body.indexOf('{', at)) {
    const before = body.slice(at, open);
    const start = at + Math.max(before.lastIndexOf(';'), before.lastIndexOf('}')) + 1;
    const close = closingBrace(body, open);
    own += body.slice(at, start);
    rules += body.slice(start, close + 1);
    at = close + 1;
  }
  return { own: own + body.slice(at), rules };
}

function addRule(selectors: string, body: string, rules: Rule[]): void {
  const declarations = parseDeclarations(body);
  if (declarations.size === 0) return;
  for (const selector of splitSelectors(selectors)) {
    const [, own = selector, place] = /^(.*[^:]|)::?(before|after|marker)\s*$/is.exec(selector) ?? [];
    // Other pseudo-elements and states such as `:hover` are no elements of the page at rest.
    if (/::|:(?:before|after|hover|focus|active|visited|target|first-l)/i.test(own)) continue;
    const part = (place?.toLowerCase() ?? 'element') as Part;
    try {
      const target = own.trim().replace(/(^|[\s>+~])$/, '$1*');
      const matches = compile<XmlElement, XmlElement>(target, { cacheResults: false }) as Rule['matches'];
      rules.push({ part, matches, specificity: specificityOf(own), declarations });
    } catch {
      // A browser ignores a selector that it does not know.
    }
  }
}

function closingBrace(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1;
    else if (css[at] === '}' && (depth -= 1) === 0) return at;
  }
  return css.length;
}

function splitSelectors(selectors: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < selectors.length; at += 1) {
    const sign = selectors[at];
    if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    else if (sign === ',' && depth === 0) {
      parts.push(selectors.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, selectors.slice(start)].filter((part) => part.trim() !== '');
}

/** Up to the semicolon that is in no text and in no brackets. */
const declarationText = /(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\([^()]*\)|[^;])+/g;
const maxValue = 10_000;
const importantMark = /!\s*important$/i;
const caseMatters = /^(?:--.*|content|background(?:-image)?)$/;

/** The declarations of a rule or a `style` attribute that matter here. */
function parseDeclarations(text: string): Declarations {
  const found: Declarations = new Map();
  for (const [part] of text.matchAll(declarationText)) {
    const colon = part.indexOf(':');
    const property = part.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!usedProperties.test(property)) continue;
    const value = part.slice(colon + 1).trim();
    // Only a picture takes more.
    if (value.length > maxValue && !property.startsWith('background')) continue;
    const written = caseMatters.test(property) || /^["']/.test(value) ? value : value.toLowerCase();
    for (const [each, part] of longhandsOf(property, written)) {
      // A later declaration of one rule does not outweigh an important one.
      if (importantMark.test(part) || !importantMark.test(found.get(each) ?? '')) found.set(each, part);
    }
  }
  return found;
}

const sides = ['top', 'right', 'bottom', 'left'];

/** The properties that a shorthand stands for. Of one that is written another way, its usual name. */
function longhandsOf(property: string, value: string): readonly (readonly [property: string, value: string])[] {
  const mark = value.lastIndexOf('!');
  const isImportant = mark !== -1 && /^!\s*important$/i.test(value.slice(mark));
  const plain = isImportant ? value.slice(0, mark).trim() : value;
  const important = isImportant ? ' !important' : '';
  const of = (name: string, part: string): readonly [string, string] => [name, `${part}${important}`];
  switch (property) {
    case 'margin':
    case 'padding':
    case 'inset': {
      const parts = plain.match(/(?:[^\s()]|\([^()]*\))+/g) ?? [];
      const [top = '', right = top, bottom = top, left = right] = parts;
      const each = [top, right, bottom, left];
      const prefix = property === 'inset' ? '' : `${property}-`;
      return sides.map((side, at) => of(`${prefix}${side}`, each[at]!));
    }
    case 'inset-inline-start':
    case 'margin-inline-start':
      return [of(property.startsWith('margin') ? 'margin-left' : 'left', plain)];
    case 'inset-block-start':
    case 'margin-block-start':
      return [of(property.startsWith('margin') ? 'margin-top' : 'top', plain)];
    case 'font': {
      const size =
        /(?:^|\s)((?:\d*\.)?\d+(?:px|pt|pc|r?em|ex|ch|cm|mm|in|q|vw|vh|%)|0|(?:calc|min|max|clamp)\([^()]*\))(?=\s*\/|\s+\S)/.exec(
          plain,
        )?.[1];
      return size === undefined ? [] : [of('font-size', size)];
    }
    case 'mask':
    case '-webkit-mask':
    case '-webkit-mask-image':
      return [of('mask-image', plain)];
    case '-webkit-clip-path':
      return [of('clip-path', plain)];
    default:
      return [[property, value]];
  }
}

function specificityOf(selector: string): number {
  const ids = selector.match(/#[\w-]+/g)?.length ?? 0;
  const classes = selector.match(/\.[\w-]+|\[[^\]]*\]|:(?!not|is|where)[\w-]+/g)?.length ?? 0;
  const tags = selector.match(/(?:^|[\s>+~(])[a-z][\w-]*/gi)?.length ?? 0;
  return ids * 10_000 + classes * 100 + tags;
}

/** Whether the rules of a `style` element are for the page as it is seen: a browser sets those of templates aside. */
export function appliesToPage({ attribs, parent }: XmlElement): boolean {
  for (let around = parent; around; around = around.parent) {
    if ('name' in around && around.name === 'template') return false;
  }
  return /^(?:text\/css)?$/i.test(attribs['type'] ?? '') && isOnScreen(attribs['media'] ?? '');
}

/** Whether a media query applies to a window on a screen. */
function isOnScreen(query: string): boolean {
  return query.split(',').some((part) => {
    if (/^\s*not\s+(?:print|speech)\s*$/i.test(part)) return true;
    if (/\bnot\b|\bprint\b|\bspeech\b|prefers-color-scheme\s*:\s*dark|prefers-contrast|forced-colors/i.test(part))
      return false;
    for (const [, bound, size, unit] of part.matchAll(/\((min|max)-width\s*:\s*([\d.]+)(px|em|rem)\s*\)/gi)) {
      const width = Number(size) * (unit!.toLowerCase() === 'px' ? 1 : 16);
      if (bound!.toLowerCase() === 'min' ? viewportWidth < width : viewportWidth > width) return false;
    }
    return true;
  });
}
