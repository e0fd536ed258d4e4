export interface Found {
  kind: 'document' | 'schema' | 'prompt' | 'tag' | 'schedule' | 'collection' | 'page';
  /** Of a page: its address. */
  id: string;
  name: string;
}

export const kindLabels: Record<Found['kind'], string> = {
  document: 'Document',
  schema: 'Schema',
  prompt: 'Prompt',
  tag: 'Tag: its documents',
  schedule: 'Schedule',
  collection: 'Collection',
  page: 'Page',
};

/** Places of the product that are found by what they are called. */
export const places = [
  { id: '/', name: 'Documents' },
  { id: '/schemas', name: 'Schemas' },
  { id: '/schemas/new', name: 'New schema' },
  { id: '/prompts', name: 'Prompts' },
  { id: '/prompts/new', name: 'New prompt' },
  { id: '/tags', name: 'Tags' },
  { id: '/schedules', name: 'Schedules' },
  { id: '/schedules/new', name: 'New schedule' },
  { id: '/runs', name: 'Runs' },
  { id: '/runs/new', name: 'New run' },
  { id: '/setup', name: 'Guided setup' },
  { id: '/setup/new', name: 'New guided setup' },
  { id: '/setup/sources', name: 'Sources' },
  { id: '/collections', name: 'Collections' },
  { id: '/settings', name: 'Settings' },
] as const;

/** The places whose names hold the text; none without one. */
export function foundPlaces(text: string): Found[] {
  const wanted = text.toLowerCase();
  if (wanted === '') return [];
  return places
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ id, name }) => ({ kind: 'page', id, name }));
}

/** The collections whose names hold the text, six at most as of every kind. */
export function foundCollections(collections: readonly { id: string; name: string }[], text: string): Found[] {
  const wanted = text.toLowerCase();
  return collections
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, 6)
    .map(({ id, name }) => ({ kind: 'collection', id, name }));
}

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
