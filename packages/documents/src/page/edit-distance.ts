/** Number of edits that turn `a` into `b`, or `limit + 1` for more than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let min = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const value = Math.min(row[j - 1]! + cost, row[j]! + 1, next[j - 1]! + 1);
      next.push(value);
      if (value < min) min = value;
    }
    if (min > limit) return limit + 1;
    row = next;
  }
  return row[b.length]!;
}
