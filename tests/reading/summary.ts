import type { FileReport } from './compare-file.ts';
import type { Reason } from './reasons.ts';
import type { PlacedWord } from './words.ts';

/** The reasons of files above the limit, by their names. */
export type Known = Readonly<Record<string, string>>;

/** Share of the words that may be missing or too many without a reason. */
const maxShare = 0.02;

/** The sums of a file. */
export interface Counts {
  shown: number;
  read: number;
  missing: number;
  tooMany: number;
  /** Those of both without a reason that a rule gives. */
  ownMissing: number;
  ownTooMany: number;
  reasons: Partial<Record<Reason, number>>;
  /** By the text layer alone. */
  layerShown: number;
  layerMissing: number;
  layerTooMany: number;
  unseen: number;
  shared: number;
  inOrder: number;
}

export function countsOf(report: FileReport): Counts {
  const counts = {
    shown: 0,
    read: 0,
    missing: 0,
    tooMany: 0,
    ownMissing: 0,
    ownTooMany: 0,
    layerShown: 0,
    layerMissing: 0,
    layerTooMany: 0,
    unseen: 0,
    shared: 0,
    inOrder: 0,
  };
  const reasons: Counts['reasons'] = {};
  const own = (words: readonly PlacedWord[]): number => words.filter(({ reason }) => reason === undefined).length;
  for (const page of report.pages) {
    counts.shown += page.shown;
    counts.read += page.read;
    counts.missing += page.missing.length;
    counts.tooMany += page.tooMany.length;
    counts.ownMissing += own(page.missing);
    counts.ownTooMany += own(page.tooMany);
    const layer = page.layer ?? page;
    counts.layerShown += layer.shown;
    counts.layerMissing += layer.missing.length;
    counts.layerTooMany += layer.tooMany.length;
    for (const { reason } of [...page.missing, ...page.tooMany]) {
      if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    counts.unseen += page.unseen;
    counts.shared += page.shared;
    counts.inOrder += page.inOrder;
  }
  return { ...counts, reasons };
}

/** The files above the limit that neither rules nor `known.json` give a reason for, the largest first. */
export function reasonsMissing(
  reports: readonly FileReport[],
  known: Known,
): { name: string; missing: number; tooMany: number }[] {
  return reports
    .map((report) => ({ name: report.name, ...countsOf(report) }))
    .filter(({ name, shown, ownMissing, ownTooMany }) => {
      const isAbove = ownMissing > shown * maxShare || ownTooMany > shown * maxShare;
      return isAbove && known[name] === undefined;
    })
    .sort((one, other) => other.missing + other.tooMany - one.missing - one.tooMany);
}

/** One line for each kind of file. */
export function summaryOf(reports: readonly FileReport[]): string[] {
  return [...Map.groupBy(reports, ({ mimeType }) => mimeType)].flatMap(([mimeType, all]) => {
    const both = all.filter(({ unreadable }) => unreadable === undefined);
    const counts = both.map(countsOf);
    const sum = (key: Exclude<keyof Counts, 'reasons'>): number => counts.reduce((total, one) => total + one[key], 0);
    const shown = sum('shown');
    const share = (part: number, whole: number): string =>
      whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(2)} %`;
    const isAbove = (one: Counts, missing: number, tooMany: number): boolean =>
      Math.max(missing, tooMany) > one.shown * maxShare;
    const above = counts.filter((one) => isAbove(one, one.missing, one.tooMany)).length;
    const unexplained = counts.filter((one) => isAbove(one, one.ownMissing, one.ownTooMany)).length;
    const reasons = new Map<string, number>();
    for (const one of counts) {
      for (const [reason, count] of Object.entries(one.reasons))
        reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    }
    const list = [...reasons].map(([reason, count]) => `${reason} ${count}`).join(', ');
    return [
      `${mimeType}: ${both.length} files, ${shown} words shown (${all.length - both.length} files that only the product reads)`,
      `  missing ${share(sum('missing'), shown)} (${sum('missing')}), too many ${share(sum('tooMany'), shown)} (${sum('tooMany')}), in order ${share(sum('inOrder'), sum('shared'))}`,
      ...(all.some(({ pages }) => pages.some(({ layer }) => layer !== undefined))
        ? [
            `  by the text layer alone: missing ${share(sum('layerMissing'), sum('layerShown'))} (${sum('layerMissing')}), too many ${share(sum('layerTooMany'), sum('layerShown'))} (${sum('layerTooMany')})`,
          ]
        : []),
      `  with a reason by rule: ${list === '' ? 'none' : list}. Without one: missing ${share(sum('ownMissing'), shown)} (${sum('ownMissing')}), too many ${share(sum('ownTooMany'), shown)} (${sum('ownTooMany')})`,
      `  ${above} files above ${maxShare * 100} %, ${unexplained} without those that rules explain; ${both.filter(({ refused }) => refused !== undefined).length} refused, ${sum('unseen')} words of text layers that are not drawn, ${both.filter(({ waiting }) => waiting > 0).length} files wait for recognition`,
    ];
  });
}
