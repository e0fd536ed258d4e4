/** A copy of `present` with the fields that the change gives; a field that is undefined stays. */
export function applyChange<Value extends object>(
  present: Value,
  change: { [Key in keyof Value]?: Value[Key] | undefined },
): Value {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...present, ...Object.fromEntries(given) };
}

/** For `refine`: refuses arguments that name only their target, since such a change would write a revision that says nothing. */
export function changesBeside(targetId: string): (args: Record<string, unknown>) => boolean {
  return (args) => Object.entries(args).some(([key, value]) => key !== targetId && value !== undefined);
}

export const nothingToChange = 'Give at least one thing to change.';

const words: Record<string, string> = {
  document_name: 'name',
  response_format: 'fields',
  schema_id: 'schema',
  tag_ids: 'tags',
};

/** The names of the fields that a change gives, as a person says them. */
export function changeInWords(args: Record<string, unknown>, targetId: string): string {
  return Object.keys(args)
    .filter((field) => field !== targetId)
    .map((field) => words[field] ?? field)
    .join(', ');
}
