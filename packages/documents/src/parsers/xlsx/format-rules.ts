import { Parser } from 'htmlparser2';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { rangeOf, type CellRange } from './read-sheet.ts';

/** A rule that gives cells another number format where their value is as it says. */
interface FormatRule {
  ranges: CellRange[];
  format: string;
  priority: number;
  holds: (value: number) => boolean;
}

const maxRules = 1_000;

/** The number formats of the looks that rules give to cells, by their position in `styles.xml`. */
export function conditionalFormats(styles: XmlElement | undefined): (string | undefined)[] {
  return childElements(firstChild(styles, 'dxfs')).map((look) => firstChild(look, 'numFmt')?.attribs['formatCode']);
}

/** Finds the number format that a rule of a sheet gives to a number; only rules that compare it with numbers are known. */
export function readFormatRules(
  xml: string,
  formats: readonly (string | undefined)[],
): (row: number, column: number, value: number) => string | undefined {
  const rules: FormatRule[] = [];
  if (formats.every((format) => format === undefined)) return () => undefined;
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
        if (format !== undefined && holds) rules.push({ ranges, format, priority: Number(priority ?? 0), holds });
        rule = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  rules.sort((one, other) => one.priority - other.priority);
  return (row, column, value) =>
    rules.find(
      ({ ranges: own, holds }) =>
        own.some(({ top, left, bottom, right }) => row >= top && row <= bottom && column >= left && column <= right) &&
        holds(value),
    )?.format;
}

function comparisonOf(operator: string, [first = 0, second = 0]: readonly number[]): FormatRule['holds'] | undefined {
  const [low, high] = [Math.min(first, second), Math.max(first, second)];
  const comparisons: Readonly<Record<string, FormatRule['holds']>> = {
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
