import { Parser } from 'htmlparser2';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { rangeOf, type CellRange } from './read-sheet.ts';

/** A rule that gives cells another number format where their value is as it says. */
interface FormatRule {
  ranges: CellRange[];
  format: string;
  priority: number;
  /** Undefined for a rule that does not compare the value with numbers. */
  holds: ((value: number) => boolean) | undefined;
}

/** What the rules of a sheet say of a number in a cell. */
export interface GivenFormat {
  /** The number format of the first rule that is known to hold. */
  format: string | undefined;
  /** Whether a rule before it, which is not known to hold or not, has one too. */
  isUncertain: boolean;
}

const asStyled: GivenFormat = { format: undefined, isUncertain: false };

const maxRules = 1_000;

/** The number formats of the looks that rules give to cells, by their position in `styles.xml`. */
export function conditionalFormats(styles: XmlElement | undefined): (string | undefined)[] {
  return childElements(firstChild(styles, 'dxfs')).map((look) => firstChild(look, 'numFmt')?.attribs['formatCode']);
}

/** Finds the number format that a rule of a sheet gives to a number; only of rules that compare it with numbers is it known whether they hold. */
export function readFormatRules(
  xml: string,
  formats: readonly (string | undefined)[],
): (row: number, column: number, value: number) => GivenFormat {
  const rules: FormatRule[] = [];
  if (formats.every((format) => format === undefined)) return () => asStyled;
  let ranges: CellRange[] = [];
  let rule: { attribs: Readonly<Record<string, string>>; limits: string[] } | undefined;
  let isFormula = false;
  const parser = new Parser(
    {
      onopentag(name, attribs) {
        const local = name.slice(name.indexOf(':') + 1);
        if (local === 'conditionalFormatting')
          ranges = (attribs['sqref'] ?? '').split(/\s+/u).flatMap((range) => rangeOf(range) ?? []);
        if (local === 'cfRule') rule = { attribs, limits: [] };
        isFormula = local === 'formula';
        if (isFormula) rule?.limits.push('');
      },
      ontext(text) {
        if (isFormula && rule) rule.limits.push(`${rule.limits.pop() ?? ''}${text}`);
      },
      onclosetag(name) {
        isFormula = false;
        if (name.slice(name.indexOf(':') + 1) !== 'cfRule' || !rule || rules.length > maxRules) return;
        const { type, operator = '', dxfId, priority } = rule.attribs;
        const format = dxfId === undefined ? undefined : formats[Number(dxfId)];
        const limits = rule.limits.map((limit) => (limit.trim() === '' ? Number.NaN : Number(limit)));
        const holds = type === 'cellIs' && !limits.some(Number.isNaN) ? comparisonOf(operator, limits) : undefined;
        if (format !== undefined) rules.push({ ranges, format, priority: Number(priority ?? 0), holds });
        rule = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  rules.sort((one, other) => one.priority - other.priority);
  return (row, column, value) => {
    let isUncertain = false;
    for (const { ranges: own, holds, format } of rules) {
      if (!own.some((range) => isWithin(row, column, range))) continue;
      if (holds === undefined) isUncertain = true;
      else if (holds(value)) return { format, isUncertain };
    }
    return isUncertain ? { format: undefined, isUncertain } : asStyled;
  };
}

function isWithin(row: number, column: number, { top, left, bottom, right }: CellRange): boolean {
  return row >= top && row <= bottom && column >= left && column <= right;
}

function comparisonOf(operator: string, [first = 0, second = 0]: readonly number[]): FormatRule['holds'] {
  const [low, high] = [Math.min(first, second), Math.max(first, second)];
  const comparisons: Readonly<Record<string, NonNullable<FormatRule['holds']>>> = {
    lessThan: (value) => value < first,
    lessThanOrEqual: (value) => value <= first,
    equal: (value) => value === first,
    notEqual: (value) => value !== first,
    greaterThan: (value) => value > first,
    greaterThanOrEqual: (value) => value >= first,
    between: (value) => value >= low && value <= high,
    notBetween: (value) => value < low || value > high,
  };
  return comparisons[operator];
}
