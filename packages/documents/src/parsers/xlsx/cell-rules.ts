import { Parser } from 'htmlparser2';
import { unknownBackground } from '../alike-colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { compute } from './arithmetic.ts';
import { rangeOf, type CellRange, type StoredCell } from './read-sheet.ts';
import { localName } from './text-runs.ts';

/** What a rule changes of how a cell looks. */
export interface RuleLook {
  /** A number format in Excel's own notation. */
  format?: string;
  /** The colour of the letters; `unknownBackground` for one that is not told. */
  color?: string;
  /** The colour behind them, likewise. */
  behind?: string;
  /** The cell shows a bar or a sign in place of its number. */
  isValueHidden?: true;
}

/** How the rules of a sheet let a cell look. */
export interface GivenLook {
  /** Of the rules that hold. */
  known: RuleLook;
  /** Of the rules of which it is not known whether they hold; without what a rule before them gives. */
  possible: readonly RuleLook[];
}

type CellValue = NonNullable<StoredCell['value']>;

/** A rule that lets cells look otherwise where their value is as it says. */
interface Rule {
  ranges: CellRange[];
  look: RuleLook;
  priority: number;
  /** No rule after it counts where it holds. */
  isLast: boolean;
  /** Undefined where it is not known. */
  holds: (value: CellValue) => boolean | undefined;
}

const asStyled: GivenLook = { known: {}, possible: [] };
const anyColors: GivenLook = { known: {}, possible: [{ color: unknownBackground, behind: unknownBackground }] };

/** With more ranges every cell counts as one that rules can colour. */
const maxRanges = 1_000;

/** The looks that rules give to cells, by their position in `styles.xml`. */
export function ruleLooks(
  styles: XmlElement | undefined,
  colorOf: (color: Readonly<Record<string, string>> | undefined) => string | undefined,
): RuleLook[] {
  return childElements(firstChild(styles, 'dxfs')).map((look) => {
    const format = firstChild(look, 'numFmt')?.attribs['formatCode'];
    const font = firstChild(firstChild(look, 'font'), 'color');
    const pattern = firstChild(firstChild(look, 'fill'), 'patternFill');
    const isSolid = ['solid', undefined].includes(pattern?.attribs['patternType']);
    return {
      ...(format !== undefined && { format }),
      ...(font && { color: colorOf(font.attribs) ?? unknownBackground }),
      // The fill of a rule has its colour where other fills have that of their pattern.
      ...(pattern && { behind: (isSolid && colorOf(firstChild(pattern, 'bgColor')?.attribs)) || unknownBackground }),
    };
  });
}

/** Finds how the rules of a sheet let a cell with a value look. Of most formulas it is not known whether they hold. */
export function readCellRules(
  xml: string,
  looks: readonly RuleLook[],
): (row: number, column: number, value: CellValue) => GivenLook {
  const rules: Rule[] = [];
  let ranges: CellRange[] = [];
  let rule: { attribs: Readonly<Record<string, string>>; formulas: string[]; look: RuleLook } | undefined;
  let isFormula = false;
  const parser = new Parser(
    {
      onopentag(prefixed, attribs) {
        const name = localName(prefixed);
        if (name === 'conditionalFormatting')
          ranges = (attribs['sqref'] ?? '').split(/\s+/u).flatMap((range) => rangeOf(range) ?? []);
        if (name === 'cfRule')
          rule = { attribs, formulas: [], look: looks[Number(attribs['dxfId'] ?? Number.NaN)] ?? {} };
        if (rule && (name === 'colorScale' || name === 'dataBar'))
          rule.look = { ...rule.look, behind: unknownBackground };
        if (rule && /^(?:dataBar|iconSet)$/u.test(name) && /^(?:0|false)$/u.test(attribs['showValue'] ?? ''))
          rule.look = { ...rule.look, isValueHidden: true };
        isFormula = name === 'formula';
        if (isFormula) rule?.formulas.push('');
      },
      ontext(text) {
        if (isFormula && rule) rule.formulas.push(`${rule.formulas.pop() ?? ''}${text}`);
      },
      onclosetag(prefixed) {
        isFormula = false;
        if (localName(prefixed) !== 'cfRule' || !rule) return;
        const { attribs, formulas, look } = rule;
        const isLast = /^(?:1|true)$/u.test(attribs['stopIfTrue'] ?? '');
        rules.push({
          ranges,
          look,
          priority: Number(attribs['priority'] ?? 0),
          isLast,
          holds: conditionOf(attribs, formulas),
        });
        rule = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  rules.sort((one, other) => one.priority - other.priority);
  if (rules.reduce((sum, { ranges: own }) => sum + own.length, 0) > maxRanges) return () => anyColors;
  return (row, column, value) => {
    let given = asStyled;
    for (const { ranges: own, look, isLast, holds } of rules) {
      if (!own.some((range) => isWithin(row, column, range))) continue;
      const isHeld = holds(value);
      if (isHeld === false) continue;
      // An earlier rule outweighs a later one.
      if (isHeld === undefined) given = { ...given, possible: [...given.possible, without(look, given.known)] };
      else given = { ...given, known: { ...look, ...given.known } };
      if (isHeld && isLast) break;
    }
    return given;
  };
}

const without = (look: RuleLook, known: RuleLook): RuleLook =>
  Object.fromEntries(Object.entries(look).filter(([name]) => !(name in known)));

function isWithin(row: number, column: number, { top, left, bottom, right }: CellRange): boolean {
  return row >= top && row <= bottom && column >= left && column <= right;
}

function conditionOf(
  { type = '', operator = '', text = '' }: Readonly<Record<string, string>>,
  formulas: readonly string[],
): Rule['holds'] {
  if (/^(?:colorScale|dataBar|iconSet)$/u.test(type)) return (value) => typeof value === 'number';
  if (type === 'containsBlanks') return (value) => fold(value).trim() === '';
  if (type === 'notContainsBlanks') return (value) => fold(value).trim() !== '';
  const holdsForText = textConditions[type];
  // In a text to look for, these signs stand for others.
  if (holdsForText && !/^$|[*?~]/u.test(text)) return (value) => holdsForText(fold(value), fold(text));
  if (type === 'expression') {
    const isAlways = constantOf(formulas[0] ?? '');
    return () => isAlways;
  }
  const limits = formulas.map(limitOf);
  if (type !== 'cellIs' || limits.includes(undefined)) return () => undefined;
  return (value) => {
    const [first = 0, second = 0] = limits;
    if (typeof value === 'number' && typeof first === 'number' && typeof second === 'number')
      return comparisons[operator]?.(value, first, second);
    const isEqual = typeof value === typeof first && fold(value) === fold(first);
    if (operator === 'equal') return isEqual;
    return operator === 'notEqual' ? !isEqual : undefined;
  };
}

const fold = (value: CellValue): string => String(value).toLowerCase();

const textConditions: Readonly<Record<string, (value: string, text: string) => boolean>> = {
  containsText: (value, text) => value.includes(text),
  notContainsText: (value, text) => !value.includes(text),
  beginsWith: (value, text) => value.startsWith(text),
  endsWith: (value, text) => value.endsWith(text),
};

const comparisons: Readonly<Record<string, (value: number, first: number, second: number) => boolean>> = {
  lessThan: (value, first) => value < first,
  lessThanOrEqual: (value, first) => value <= first,
  equal: (value, first) => value === first,
  notEqual: (value, first) => value !== first,
  greaterThan: (value, first) => value > first,
  greaterThanOrEqual: (value, first) => value >= first,
  between: (value, first, second) => value >= Math.min(first, second) && value <= Math.max(first, second),
  notBetween: (value, first, second) => value < Math.min(first, second) || value > Math.max(first, second),
};

/** What a rule compares with: a number, or a text in quotation marks. */
function limitOf(formula: string): number | string | undefined {
  const [, quoted] = /^\s*"((?:[^"]|"")*)"\s*$/u.exec(formula) ?? [];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return formula.trim() === '' || Number.isNaN(Number(formula)) ? undefined : Number(formula);
}

/** Whether a formula that names no cell is true. */
function constantOf(formula: string): boolean | undefined {
  const [, word] = /^\s*(TRUE|FALSE)(?:\(\))?\s*$/iu.exec(formula) ?? [];
  if (word !== undefined) return word.toLowerCase() === 'true';
  const [, left, sign, right] = /^([^<>=]+)(<=|>=|<>|[<>=])([^<>=]+)$/u.exec(formula) ?? [];
  const [one, other] = [left ?? formula, right ?? '0'].map((part) => compute(part, () => undefined));
  if (one === undefined || other === undefined) return undefined;
  return comparisons[operatorOf[sign ?? '<>'] ?? '']?.(one, other, other);
}

const operatorOf: Readonly<Record<string, string>> = {
  '=': 'equal',
  '<>': 'notEqual',
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
};
