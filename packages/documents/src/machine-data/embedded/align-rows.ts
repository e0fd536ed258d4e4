/** More pairs of rows are not compared. */
const maxPairs = 250_000;

/**
 * The row of `others` beside each row of `rows`, in order: by their position if there are as many, else so that most of
 * their values agree. A row without a partner has undefined. Undefined as a whole if there are too many to compare.
 */
export function alignRows<Value, Other>(
  rows: readonly (readonly Value[])[],
  others: readonly (readonly Other[])[],
  agrees: (value: Value, other: Other) => boolean,
): (number | undefined)[] | undefined {
  if (rows.length === others.length) return rows.map((_, index) => index);
  if (rows.length * others.length > maxPairs) return undefined;
  const worth = rows.map((row) =>
    others.map((other) => row.filter((value, column) => agrees(value, other[column]!)).length),
  );
  // best[i][j]: most agreeing values of the rows from i and the others from j on.
  const best = Array.from({ length: rows.length + 1 }, () => Array.from({ length: others.length + 1 }, () => 0));
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    for (let j = others.length - 1; j >= 0; j -= 1) {
      const paired = worth[i]![j]! + best[i + 1]![j + 1]!;
      best[i]![j] = Math.max(worth[i]![j]! > 0 ? paired : 0, best[i + 1]![j]!, best[i]![j + 1]!);
    }
  }
  const partners: (number | undefined)[] = [];
  for (let j = 0; partners.length < rows.length;) {
    const i = partners.length;
    if (j === others.length) partners.push(undefined);
    else if (worth[i]![j]! > 0 && best[i]![j] === worth[i]![j]! + best[i + 1]![j + 1]!) partners.push(j++);
    else if (best[i]![j] === best[i + 1]![j]) partners.push(undefined);
    else j += 1;
  }
  return partners;
}
