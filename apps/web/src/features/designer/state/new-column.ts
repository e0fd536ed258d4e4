import type { Column } from '@docwright/contract';

/** An empty column whose id no other has; the server gives its own to those that the agent adds. */
export function newColumn(columns: Column[]): Column {
  const taken = new Set(columns.map(({ id }) => id));
  let number = columns.length + 1;
  while (taken.has(`own_${number}`)) number += 1;
  return { id: `own_${number}`, name: '', type: 'text', description: '', allowedValues: '', regex: '' };
}
