import { numberText } from './number-text.ts';

/** A level of a list. */
export interface Level {
  start: number;
  format: string;
  /** `%1.%2` means the numbers of the first two levels. */
  text: string;
  /** The number begins again after this level or one above it; 0 if never. Undefined: after any level above. */
  restartsAfter: number | undefined;
  isLegal: boolean;
  /** The text of a paragraph follows its number without a gap. */
  isJoined?: boolean;
  /** The paragraph style that has this level. */
  style?: string | undefined;
}

/** A list as a document defines it. */
export interface List {
  /** Lists of one definition count on. */
  abstractId: string;
  levels: ReadonlyMap<number, Level>;
  /** Numbers at which levels begin again, each where the first paragraph of this list is on it. */
  restarts: ReadonlyMap<number, number>;
}

/** The place of a paragraph in a list. */
interface ListPlace {
  listId: string;
  level: number;
}

/** Numbers the paragraphs of a document, in their order. */
export type Numbering = ReturnType<typeof numberLists>;

const maxLevels = 9;

/** Counts the paragraphs of these lists, as Word does. */
export function numberLists(lists: ReadonlyMap<string, List>) {
  const counters = new Map<string, (number | undefined)[]>();
  const begun = new Set<string>();
  return {
    /** The number or bullet that Word shows before the next paragraph, with the gap behind it, and its depth. Undefined for a paragraph without one. */
    next({ listId, level }: ListPlace) {
      const list = lists.get(listId);
      const own = list?.levels.get(level);
      if (list === undefined || own === undefined || level < 0 || level >= maxLevels) return undefined;
      const numbers = counters.get(list.abstractId) ?? [];
      counters.set(list.abstractId, numbers);
      if (!begun.has(listId)) {
        begun.add(listId);
        // Other levels go on: a list within another one names its restart for all levels.
        const start = list.restarts.get(level);
        if (start !== undefined) numbers[level] = start - 1;
      }
      // A level that was skipped has begun: what follows on it has the next number.
      for (let above = 0; above < level; above += 1) numbers[above] ??= list.levels.get(above)?.start;
      numbers[level] = (numbers[level] ?? own.start - 1) + 1;
      for (let below = level + 1; below < maxLevels; below += 1) {
        const restartsAfter = list.levels.get(below)?.restartsAfter;
        if (restartsAfter === undefined || (restartsAfter > 0 && level < restartsAfter)) numbers[below] = undefined;
      }
      return { label: labelOf(list, own, numbers), depth: level };
    },
    /** The level that a list gives to paragraphs of a style. */
    levelOfStyle(listId: string, style: string) {
      return [...(lists.get(listId)?.levels ?? [])].find(([, level]) => level.style === style)?.[0];
    },
  };
}

function labelOf({ levels }: List, own: Level, numbers: readonly (number | undefined)[]): string {
  if (own.format === 'bullet') return withGap(bulletOf(own.text), own);
  const label = own.text.replace(/%([1-9])/g, (_, digit: string) => {
    const position = Number(digit) - 1;
    const level = levels.get(position);
    const format = own.isLegal && level?.format !== 'none' ? 'decimal' : (level?.format ?? 'decimal');
    return numberText(numbers[position] ?? level?.start ?? 1, format);
  });
  return withGap(label, own);
}

function withGap(label: string, { isJoined = false }: Level): string {
  if (label.trim() === '') return '';
  return isJoined ? label.trimStart() : `${label.trim()} `;
}

/** Bullets of the fonts Symbol and Wingdings have codes for private use. */
function bulletOf(text: string): string {
  return /[\uE000-\uF8FF]/.test(text) ? '•' : text;
}
