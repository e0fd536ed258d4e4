/** The object that a text is in full as JSON; undefined for anything cut, doubled or of another kind. */
export function completeObject(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether both texts are complete JSON objects that say the same. */
export function sayTheSame(one: string, other: string): boolean {
  const [first, second] = [completeObject(one), completeObject(other)];
  if (first === undefined || second === undefined) return false;
  return one === other || JSON.stringify(first) === JSON.stringify(second);
}
