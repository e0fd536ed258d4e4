import type { Seeded } from '../seed.ts';

/** The requests of the pages, by what they show. */
export type Looks = Record<string, string>;

const query = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`)
    .join('');

type Filters = Record<string, Record<string, string | number>>;

/** What the page of a list offers, each with the filters that cannot be chosen together under one name. */
export function documentFilters({ tagIds: [third] }: Pick<Seeded, 'tagIds'>): Record<string, Filters> {
  return {
    name: { 'part of the name': { name_search: 'customer 97' }, 'rare name': { name_search: '654435' } },
    stage: Object.fromEntries(
      ['reading', 'ready', 'proposal', 'needs_you', 'verified', 'released'].map((stage) => [stage, { stage }]),
    ),
    tag: { tag: { tag_ids: third! } },
    routing: Object.fromEntries(['routed', 'unsure', 'none', 'waiting_split'].map((routing) => [routing, { routing }])),
    versions: { 'all versions': { include_replaced: 'true' }, gone: { missing: 'true' } },
    order: Object.fromEntries(
      ['document_name', 'size_bytes', 'upload_date'].flatMap((sort) =>
        ['asc', 'desc'].map((order) => [`by ${sort} ${order}`, { sort, order }]),
      ),
    ),
  };
}

const trashFilters = ({ tagIds: [third] }: Seeded): Record<string, Filters> => ({
  name: { 'part of the name': { name_search: 'customer 97' } },
  tag: { tag: { tag_ids: third! } },
  state: { failed: { state: 'ocr_failed' } },
  order: { 'by name': { sort: 'document_name' }, 'by size': { sort: 'size_bytes' } },
});

const auditFilters = ({ documentId }: Seeded, userId: string): Record<string, Filters> => ({
  actor: { 'of a user': { actor: userId } },
  origin: { 'of runs': { origin: 'run' }, 'of chats': { origin: 'chat' } },
  tool: { 'of a tool': { tool: 'run_extraction' }, 'of a rare tool': { tool: 'delete_document' } },
  document: { 'of a document': { document_id: documentId } },
});

const reviewFilters = ({ prompt, tagIds: [third] }: Seeded): Record<string, Filters> => ({
  prompt: { 'of a prompt': { prompt_id: prompt.prompt_id } },
  tag: { 'with a tag': { tag_id: third! } },
  reason: { 'for a reason': { reason: 'not_found' } },
  risk: { 'with a risk': { min_risk: 0.1 }, 'with a great risk': { min_risk: 0.5 } },
  all: { all: { all: 'true' } },
});

const resultFilters = ({ tagIds: [third] }: Seeded): Record<string, Filters> => ({
  release: { released: { release: 'released' } },
  verified: { verified: { is_verified: 'true' } },
  tag: { 'with a tag': { tag_ids: third! } },
  where: { 'with a value': { where: 'total>=1000' }, 'with a rare value': { where: 'total=4711' } },
  versions: { 'all versions': { include_replaced: 'true' } },
  order: { 'by a value': { sort: '-total' }, 'by name': { sort: 'document_name' } },
  page: { 'a late page': { position: 9_000 } },
});

const approvalFilters = ({ documentId }: Seeded): Record<string, Filters> => ({
  from: { 'of chats': { from: 'chats' }, 'of runs': { from: 'runs' } },
  tool: { 'of a tool': { tool: 'update_document' } },
  document: { 'of a document': { document_id: documentId } },
  mine: { 'that wait for me': { mine: 'true' } },
  group: { 'in groups': { by: 'group' } },
});

/** Each filter alone, and any two that can be chosen together. */
export function inPairs(name: string, path: string, filters: Record<string, Filters>): Looks {
  const all = Object.entries(filters).flatMap(([group, choices]) =>
    Object.entries(choices).map(([choice, parameters]) => ({ group, choice, parameters })),
  );
  const looks: Looks = { [name]: path };
  for (const [at, first] of all.entries()) {
    looks[`${name}: ${first.choice}`] = path + query(first.parameters);
    for (const second of all.slice(at + 1)) {
      if (second.group === first.group) continue;
      looks[`${name}: ${first.choice}, ${second.choice}`] = path + query({ ...first.parameters, ...second.parameters });
    }
  }
  return looks;
}

/** Every list, filter, sort, search and count that the pages offer, with all filters alone and in twos. */
export function looks(seeded: Seeded, userId: string): Looks {
  const { prompt, documents, collectionId, documentId, tagIds } = seeded;
  const late = Math.min(9_900, documents - 100);
  const ofPrompt = `/prompts/${prompt.prompt_id}`;
  return {
    ...inPairs('documents', '/documents?limit=20', documentFilters(seeded)),
    'documents: failed': '/documents?limit=20&state=ocr_failed',
    'documents: proposed': '/documents?limit=20&auto_create=proposed',
    'documents: released once': '/documents?limit=20&release=released',
    'documents: two tags': `/documents?limit=20&tag_ids=${tagIds[0]},${tagIds[1]}`,
    'documents: late page': `/documents?limit=20&skip=${late}`,
    ...inPairs('trash', '/documents/trash?limit=20', trashFilters(seeded)),
    ...inPairs('audit', '/audit?limit=25', auditFilters(seeded, userId)),
    'audit: tools': '/audit/tools',
    ...inPairs('review', '/review?lease=false&limit=15', reviewFilters(seeded)),
    ...inPairs('results', `${ofPrompt}/results?limit=100`, resultFilters(seeded)),
    'results: totals': `${ofPrompt}/results/summary?sum=total`,
    'results: totals by release': `${ofPrompt}/results/summary?group_by=release`,
    'results: totals of a tag': `${ofPrompt}/results/summary?tag_ids=${tagIds[0]}`,
    ...inPairs('approvals', '/approvals?limit=25', approvalFilters(seeded)),
    'find: part of a name': '/find?q=customer%2097',
    'find: a rare name': '/find?q=654435',
    'find: two words': '/find?q=invoice%20customer',
    proposals: '/proposals',
    'accuracy of a prompt': `${ofPrompt}/accuracy`,
    'release of a prompt': `${ofPrompt}/release`,
    'suspects of a prompt': `${ofPrompt}/release/suspects`,
    usage: '/usage',
    collections: '/api/v2/collections',
    'a collection': `/api/v2/collections/${collectionId}`,
    sources: '/api/v2/sources',
    'a document': `/documents/${documentId}`,
    'its results': `/documents/${documentId}/extractions`,
    'its prompts': `/prompts?document_id=${documentId}`,
    tags: '/tags',
    prompts: '/prompts',
    schemas: '/schemas',
    runs: '/runs',
    schedules: '/schedules',
    routes: '/routes',
    evaluations: '/evaluations',
    'bulk jobs': '/documents/bulk',
    rules: '/permission_rules',
    members: '/members',
    webhooks: '/webhooks',
  };
}
