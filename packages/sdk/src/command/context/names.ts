import type { Document, Tag } from '@docwright/contract';
import { DocwrightError } from '../../client/docwright-error.ts';
import type { Docwright } from '../../create-docwright.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { UsageError } from './exit-codes.ts';

const isId = (text: string) => /^[0-9a-f]{24}$/i.test(text);
const maxShown = 10;

interface Named {
  id: string;
  name: string;
  /** Distinguishes items of the same name. */
  more?: string;
}

function notFound(kind: string, wanted: string, hint: string): DocwrightError {
  const message = `There is no ${kind} called "${printableLine(wanted)}". ${hint}`;
  return new DocwrightError({ code: 'not_found', message, status: 404 });
}

/**
 * Finds the item that the user means: by its exact name, otherwise by the name in another letter case, otherwise by a
 * part of the name if that is unambiguous.
 */
export function pickByName<Item extends Named>(kind: string, wanted: string, found: readonly Item[]): Item | undefined {
  const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  const exact = found.filter(({ name }) => name === wanted);
  const alike = exact.length > 0 ? exact : found.filter(({ name }) => same(name, wanted));
  const candidates = alike.length > 0 ? alike : found;
  if (candidates.length <= 1) return candidates[0];
  const shown = candidates
    .slice(0, maxShown)
    .map(({ id, name, more = '' }) => `  ${id}  ${printableLine(name)}  ${more}`.trimEnd());
  const more = candidates.length > maxShown ? [`  … and ${candidates.length - maxShown} more`] : [];
  throw new UsageError(
    [`More than one ${kind} matches "${printableLine(wanted)}". Name one by its id:`, ...shown, ...more].join('\n'),
  );
}

/** A document by its id or name. */
export async function resolveDocument(client: Docwright, wanted: string, signal?: AbortSignal): Promise<Document> {
  if (isId(wanted)) return await client.documents.get(wanted, { signal });
  const page = await client.documents.list({ name_search: wanted.slice(0, 200), limit: 100 }, { signal });
  const found = page.documents.map((document) => ({
    id: document.id,
    name: document.document_name,
    more: document.upload_date,
    document,
  }));
  const picked = pickByName('document', wanted, found);
  if (picked === undefined) throw notFound('document', wanted, 'List them with: docwright documents');
  return picked.document;
}

/** The id of a prompt by its id or name. */
export async function resolvePrompt(client: Docwright, wanted: string, signal?: AbortSignal): Promise<string> {
  if (isId(wanted)) return wanted;
  const page = await client.prompts.list({ name_search: wanted.slice(0, 200), limit: 100 }, { signal });
  const named = page.prompts.map(({ prompt_id, name, created_at }) => ({ id: prompt_id, name, more: created_at }));
  const picked = pickByName('prompt', wanted, named);
  if (picked === undefined) throw notFound('prompt', wanted, 'List them with: docwright prompts');
  return picked.id;
}

/** The ids of tags by their ids or exact names. */
export async function resolveTags(
  client: Docwright,
  wanted: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const byName = wanted.filter((tag) => !isId(tag));
  const tags: Tag[] = [];
  if (byName.length > 0) for await (const tag of client.tags.listAll({}, { signal })) tags.push(tag);
  return wanted.map((given) => {
    if (isId(given)) return given;
    const found = tags.find(({ name }) => name.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found.tag_id;
    throw notFound('tag', given, `Create it with: docwright tags create "${printableLine(given)}"`);
  });
}

export async function resolveOrganization(client: Docwright, wanted: string, signal?: AbortSignal): Promise<string> {
  if (isId(wanted)) return wanted;
  const { organizations } = await client.auth.me({ signal });
  const matching = organizations.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const picked = pickByName('organization', wanted, matching);
  if (picked === undefined) throw notFound('organization', wanted, 'See yours with: docwright whoami');
  return picked.id;
}

/** A schedule by its id or name. */
export async function resolveSchedule(client: Docwright, wanted: string, signal?: AbortSignal): Promise<string> {
  if (isId(wanted)) return wanted;
  const page = await client.schedules.list({ name_search: wanted.slice(0, 200), limit: 100 }, { signal });
  const picked = pickByName('schedule', wanted, page.schedules);
  if (picked === undefined) throw notFound('schedule', wanted, 'List them with: docwright schedules');
  return picked.id;
}

/** A source by its id or name. */
export async function resolveSource(client: Docwright, wanted: string, signal?: AbortSignal): Promise<string> {
  if (isId(wanted)) return wanted;
  const picked = pickByName('source', wanted, await itemsNamed(client.sources.listAll({}, { signal }), wanted));
  if (picked === undefined) throw notFound('source', wanted, 'List them with: docwright sources');
  return picked.id;
}

/** A route by its id or name. */
export async function resolveRoute(client: Docwright, wanted: string, signal?: AbortSignal): Promise<string> {
  if (isId(wanted)) return wanted;
  const named = await itemsNamed(client.routes.listAll({}, { signal }), wanted);
  const picked = pickByName('route', wanted, named);
  if (picked === undefined) throw notFound('route', wanted, 'List them with: docwright routes');
  return picked.id;
}

/** A collection by its id or name. */
export async function resolveCollection(client: Docwright, wanted: string, signal?: AbortSignal): Promise<string> {
  if (isId(wanted)) return wanted;
  const picked = pickByName('collection', wanted, await itemsNamed(client.collections.listAll({}, { signal }), wanted));
  if (picked === undefined) throw notFound('collection', wanted, 'List them with: docwright collections');
  return picked.id;
}

/** Items with the text in their name. Their lists have no search. */
async function itemsNamed(
  items: AsyncIterable<{ id: string; name: string; created_at?: string }>,
  wanted: string,
): Promise<Named[]> {
  const found: Named[] = [];
  for await (const { id, name, created_at = '' } of items) {
    if (name.toLowerCase().includes(wanted.toLowerCase())) found.push({ id, name, more: created_at });
  }
  return found;
}

/** The document of a turn: the named one, otherwise the one in the turn's audit log. */
export async function documentOfTurn(
  client: Docwright,
  turnId: string,
  named: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (named !== undefined) return (await resolveDocument(client, named, signal)).id;
  if (!isId(turnId)) throw notFound('turn', turnId, 'Give the id of the turn: 24 hex digits, as chat prints it.');
  const [entry] = (await client.audit.list({ turn_id: turnId, limit: 1 }, { signal })).entries;
  if (entry?.document_id === undefined) throw notFound('turn', turnId, 'Name its document too, with --document.');
  return entry.document_id;
}
