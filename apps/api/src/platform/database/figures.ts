/** Figures by group, such as the documents and values of a month. Groups without figures are zero. */
export type Figures = Readonly<Record<string, readonly number[]>>;

/** Adds figures to others, group by group, or subtracts them. */
export function add(to: Record<string, number[]>, figures: Figures, sign: 1 | -1): void {
  for (const [group, own] of Object.entries(figures)) {
    const total = (to[group] ??= own.map(() => 0));
    for (const [at, figure] of own.entries()) total[at] = (total[at] ?? 0) + sign * figure;
  }
}

export const withoutZeros = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([, own]) => own.some((figure) => figure !== 0)));
