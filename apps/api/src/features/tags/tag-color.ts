/** Distinct on white and on dark, in the order of a colour wheel. */
const palette = [
  '#dc2626',
  '#ea580c',
  '#d97706',
  '#65a30d',
  '#16a34a',
  '#0d9488',
  '#0891b2',
  '#2563eb',
  '#4f46e5',
  '#7c3aed',
  '#c026d3',
  '#db2777',
];

/** The colour of a tag that was given none: the same name always has the same. */
export function defaultTagColor(name: string): string {
  let hash = 0;
  for (const character of name.toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return palette[hash % palette.length] ?? '#2563eb';
}
