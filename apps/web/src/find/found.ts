export interface Found {
  kind: 'document' | 'schema' | 'prompt' | 'tag';
  id: string;
  name: string;
}

export const kindWords: Record<Found['kind'], string> = {
  document: 'Document',
  schema: 'Schema',
  prompt: 'Prompt',
  tag: 'Tag: its documents',
};

/** One step on in a list that goes round. */
export function nextIndex(index: number, step: number, length: number): number {
  return (index + step + length) % length;
}

/** 0: the name is the text, 1: begins with it, 2: a word in it does, 3: holds it. */
function distance(name: string, text: string): number {
  const [own, wanted] = [name.toLowerCase(), text.toLowerCase()];
  if (own === wanted) return 0;
  if (own.startsWith(wanted)) return 1;
  return own.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) ? 2 : 3;
}

/** The nearest names first; equally near ones stay in the order they came. */
export function nearestFirst(found: Found[], text: string): Found[] {
  return found.toSorted((one, other) => distance(one.name, text) - distance(other.name, text));
}
