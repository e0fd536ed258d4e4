/** Parses JSON so that `JSON.stringify` writes each number with the digits that it had. Other readers see no number there. */
export function parseKeepingDigits(text: string): unknown {
  return keeping.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? keeping.rawJSON(source) : value,
  );
}

/** TypeScript does not know these yet. */
const keeping = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
};
