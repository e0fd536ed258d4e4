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
  /^(?:--[\w-]+|display|visibility|opacity|content-visibility|filter|zoom|margin-left|margin-top|bottom|rotate|scale|translate|-webkit-text-fill-color|(?:-webkit-)?background-clip|text-shadow|font-size|color|background(?:-color|-image)?|position|left|top|right|text-indent|clip|clip-path|width|height|max-height|max-width|overflow(?:-[xy])?|transform|text-transform|white-space|list-style(?:-type)?|flex-direction|flex-flow|grid-template-columns|grid-template|content|counter-(?:reset|set|increment)|quotes|vertical-align|fill|stroke)$/;
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

function addRules(css: string, rules: Rule[], depth: number): void {
  let at = 0;
  while (at < css.length && rules.length < maxRules) {
    const open = css.indexOf('{', at);
    if (open === -1) return;
    const close = closingBrace(css, open);
    const prelude = css.slice(at, open).split(';').at(-1)!.trim();
    const body = css.slice(open + 1, close);
    at = close + 1;
    const [, media] = /^@media\b(.*)$/is.exec(prelude) ?? [];
    if (media !== undefined) {
      if (depth < 10 && isOnScreen(media)) addRules(body, rules, depth + 1);
    } else if (/^@(?:supports|layer|container)\b/i.test(prelude)) {
      if (depth < 10) addRules(body, rules, depth + 1);
    } else if (!prelude.startsWith('@')) addRule(prelude, body, rules);
  }
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
    found.set(property, caseMatters.test(property) || /^["']/.test(value) ? value : value.toLowerCase());
  }
  return found;
}

function specificityOf(selector: string): number {
  const ids = selector.match(/#[\w-]+/g)?.length ?? 0;
  const classes = selector.match(/\.[\w-]+|\[[^\]]*\]|:(?!not|is|where)[\w-]+/g)?.length ?? 0;
  const tags = selector.match(/(?:^|[\s>+~(])[a-z][\w-]*/gi)?.length ?? 0;
  return ids * 10_000 + classes * 100 + tags;
}

/** Whether a media query applies to a window on a screen. */
function isOnScreen(query: string): boolean {
  return query.split(',').some((part) => {
    if (/\bnot\b|\bprint\b|\bspeech\b|prefers-color-scheme\s*:\s*dark|prefers-contrast|forced-colors/i.test(part))
      return false;
    for (const [, bound, size, unit] of part.matchAll(/\((min|max)-width\s*:\s*([\d.]+)(px|em|rem)\s*\)/gi)) {
      const width = Number(size) * (unit!.toLowerCase() === 'px' ? 1 : 16);
      if (bound!.toLowerCase() === 'min' ? viewportWidth < width : viewportWidth > width) return false;
    }
    return true;
  });
}
