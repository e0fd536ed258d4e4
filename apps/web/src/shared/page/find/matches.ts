import type { FoundPlace } from '@docwright/contract';
import type { DocumentAddress } from '../../addresses/document-address.ts';
import { sectionLabels, settingsSections } from '../../addresses/settings-section.ts';
import { pathLabel } from '../../values/review-labels.ts';

export interface Match {
  kind: 'document' | 'schema' | 'prompt' | 'tag' | 'schedule' | 'collection' | 'page' | 'action';
  /** Of a page its path, of an action its name. */
  id: string;
  name: string;
  /** Of a document that was found by its content: where. */
  place?: FoundPlace;
}

/** The address of the place in a document where the words are. */
export function addressOf({ kind, page_num, start, end, path, prompt_revid }: FoundPlace): DocumentAddress {
  if (kind === 'value') {
    return { ...(path !== undefined && { field: path }), ...(prompt_revid !== undefined && { prompt: prompt_revid }) };
  }
  return {
    ...(page_num !== undefined && { page: page_num }),
    ...(start !== undefined && end !== undefined && { start, end }),
  };
}

/** Where in a document the words are: “Total: 12.50”, “Page 3: … delivered to …”. */
export function placeLabel({ kind, page_num, path, excerpt = '' }: FoundPlace): string {
  if (kind === 'name') return '';
  const where = kind === 'value' ? pathLabel(path ?? '') : `Page ${page_num}`;
  return [where, excerpt].filter((part) => part !== '').join(': ');
}

export const kindLabels: Record<Match['kind'], string> = {
  document: 'Document',
  schema: 'Schema',
  prompt: 'Prompt',
  tag: 'Tag: its documents',
  schedule: 'Schedule',
  collection: 'Collection',
  page: 'Page',
  action: 'Action',
};

export const placeKinds = { name: 'Document', value: 'Value', page: 'Words on a page' } as const;

/** Pages that are found by name. */
const pages = [
  { id: '/', name: 'Documents' },
  { id: '/results', name: 'Results' },
  { id: '/ask', name: 'Ask' },
  { id: '/schemas', name: 'Schemas' },
  { id: '/schemas/new', name: 'New schema' },
  { id: '/schemas/designer', name: 'Design a schema' },
  { id: '/prompts', name: 'Prompts' },
  { id: '/prompts/new', name: 'New prompt' },
  { id: '/review', name: 'Review' },
  { id: '/inbox', name: 'Inbox' },
  { id: '/proposals', name: 'Proposals' },
  { id: '/audit', name: 'Audit' },
  { id: '/trash', name: 'Trash' },
  { id: '/tasks', name: 'Tasks' },
  { id: '/tags', name: 'Tags' },
  { id: '/schedules', name: 'Schedules' },
  { id: '/schedules/new', name: 'New schedule' },
  { id: '/runs', name: 'Runs' },
  { id: '/runs/new', name: 'New run' },
  { id: '/setup', name: 'Guided setup' },
  { id: '/setup/new', name: 'New guided setup' },
  { id: '/setup/sources', name: 'Sources' },
  { id: '/setup/sources/new', name: 'New source' },
  { id: '/collections', name: 'Collections' },
  { id: '/settings', name: 'Settings' },
] as const;

/** The pages and the sections of the settings whose names contain the text; none for an empty text. */
export function matchPages(text: string): Match[] {
  const query = text.toLowerCase();
  if (query === '') return [];
  const sections = settingsSections.map((section) => ({
    id: `/settings?section=${section}`,
    name: `Settings: ${sectionLabels[section]}`,
  }));
  return [...pages, ...sections]
    .filter(({ name }) => name.toLowerCase().includes(query))
    .map(({ id, name }) => ({ kind: 'page', id, name }));
}

/** The actions whose names contain the text; without a text all. */
export function matchActions(actions: readonly { name: string }[], text: string): Match[] {
  const query = text.toLowerCase();
  return actions
    .filter(({ name }) => name.toLowerCase().includes(query))
    .map(({ name }) => ({ kind: 'action', id: name, name }));
}

/** The collections whose names contain the text, at most six as of every kind. */
export function matchCollections(collections: readonly { id: string; name: string }[], text: string): Match[] {
  const query = text.toLowerCase();
  return collections
    .filter(({ name }) => name.toLowerCase().includes(query))
    .slice(0, 6)
    .map(({ id, name }) => ({ kind: 'collection', id, name }));
}

/** The next index in a list that wraps around. */
export function nextIndex(index: number, step: number, length: number): number {
  return (index + step + length) % length;
}

/** 0: the name equals the text, 1: starts with it, 2: has a word that does, 3: contains it. */
function distance(name: string, text: string): number {
  const [candidate, query] = [name.toLowerCase(), text.toLowerCase()];
  if (candidate === query) return 0;
  if (candidate.startsWith(query)) return 1;
  return candidate.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(query)) ? 2 : 3;
}

/** Best matches first; equally good ones keep their order. What was found by its content follows what has the name. */
export function sortByRelevance(matches: Match[], text: string): Match[] {
  return matches.toSorted((one, other) => rank(one, text) - rank(other, text));
}

const rank = (match: Match, text: string): number => (match.place ? 4 : distance(match.name, text));
