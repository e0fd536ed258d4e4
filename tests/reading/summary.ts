import type { FileReport } from './compare-file.ts';

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
  divided: number;
  unseen: number;
  shared: number;
  inOrder: number;
}

export function countsOf(report: FileReport): Counts {
  const counts: Counts = { shown: 0, read: 0, missing: 0, tooMany: 0, divided: 0, unseen: 0, shared: 0, inOrder: 0 };
  for (const page of report.pages) {
    counts.shown += page.shown;
    counts.read += page.read;
    counts.missing += page.missing.length;
    counts.tooMany += page.tooMany.length;
    counts.divided += page.divided;
    counts.unseen += page.unseen;
    counts.shared += page.shared;
    counts.inOrder += page.inOrder;
  }
  return counts;
}

/** The files above the limit that `known.json` gives no reason for, the largest first. */
export function reasonsMissing(
  reports: readonly FileReport[],
  known: Known,
): { name: string; missing: number; tooMany: number }[] {
  return reports
    .map((report) => ({ name: report.name, ...countsOf(report) }))
    .filter(({ name, shown, missing, tooMany }) => {
      const isAbove = missing > shown * maxShare || tooMany > shown * maxShare;
      return isAbove && known[name] === undefined;
    })
    .sort((one, other) => other.missing + other.tooMany - one.missing - one.tooMany);
}

/** One line for each kind of file. */
export function summaryOf(reports: readonly FileReport[]): string[] {
  return [...Map.groupBy(reports, ({ mimeType }) => mimeType)].flatMap(([mimeType, all]) => {
    const both = all.filter(({ unreadable }) => unreadable === undefined);
    const counts = both.map(countsOf);
    const sum = (key: keyof Counts): number => counts.reduce((total, one) => total + one[key], 0);
    const share = (part: number, whole: number): string =>
      whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(2)} %`;
    const above = counts.filter(({ shown, missing, tooMany }) => Math.max(missing, tooMany) > shown * maxShare).length;
    return [
      `${mimeType}: ${both.length} files, ${sum('shown')} words shown (${all.length - both.length} files that only the product reads)`,
      `  missing ${share(sum('missing'), sum('shown'))} (${sum('missing')}; ${sum('divided')} of them divided otherwise), too many ${share(sum('tooMany'), sum('shown'))} (${sum('tooMany')}), in order ${share(sum('inOrder'), sum('shared'))}`,
      `  ${above} files above ${maxShare * 100} %, ${both.filter(({ refused }) => refused !== undefined).length} refused, ${sum('unseen')} words of text layers that are not drawn, ${both.filter(({ waiting }) => waiting > 0).length} files wait for recognition`,
    ];
  });
}
