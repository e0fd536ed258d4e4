import type { Conversation, Outcome } from '../conversation.ts';
import { findNamed, listedIn, type ListedItem } from './listed-items.ts';
import { idOf } from '../outcome-id.ts';
import { type Move, type Plan, use } from '../plan.ts';
import { stopped } from '../stopped.ts';
import type { TagRequest } from './tag-requests.ts';
import { bold, linked } from '../plain-text.ts';

/** Creates, renames and deletes tags, adds them to the document and removes them. */
export function* manageTags(request: TagRequest, conversation: Conversation): Plan {
  if (request.kind === 'create') {
    const created = yield* createTag(request.name, request.color);
    return typeof created === 'string' ? created : `The tag ${linked(request.name, 'tag', created.id)} is there.`;
  }
  const listed = yield* use('list_tags', { limit: 100 });
  if (listed.kind !== 'done') return stopped('list the tags', listed);
  const tags = listedIn('tags', listed);
  if (request.kind === 'add') return yield* addTags(request.names, tags, conversation);
  if (request.kind === 'remove') return yield* removeTags(request.names, tags, conversation);

  const tag = findNamed(tags, request.name);
  if (!tag) return noSuchTag(request.name, tags);
  if (request.kind === 'rename') {
    const renamed = yield* use('update_tag', { tag_id: tag.id, name: request.to });
    return renamed.kind === 'done'
      ? `The tag ${bold(tag.name)} is now called ${bold(request.to)}.`
      : stopped('rename the tag', renamed);
  }
  const deleted = yield* use('delete_tag', { tag_id: tag.id });
  return deleted.kind === 'done' ? `The tag ${bold(tag.name)} is deleted.` : stopped('delete the tag', deleted);
}

function* createTag(name: string, color: string | null): Generator<Move, { id: string } | string, Outcome[]> {
  if (name === '') return 'What shall the tag be called? For example “create a tag billing”.';
  const created = yield* use('create_tag', { name, ...(color === null ? {} : { color }) });
  return created.kind === 'done' ? { id: idOf(created, 'tag_id') } : stopped(`create the tag ${name}`, created);
}

function* addTags(names: readonly string[], tags: readonly ListedItem[], conversation: Conversation): Plan {
  const current = yield* tagsOfDocument(conversation);
  if (typeof current === 'string') return current;
  const added: string[] = [];
  for (const name of names) {
    const known = findNamed(tags, name)?.id;
    const created = known === undefined ? yield* createTag(name, null) : { id: known };
    if (typeof created === 'string') return created;
    added.push(created.id);
  }
  const tagged = yield* use('update_document', { tag_ids: [...new Set([...current, ...added])] });
  return tagged.kind === 'done'
    ? `This document is tagged with ${allBold(names)}.`
    : stopped('tag the document', tagged);
}

function* removeTags(names: readonly string[], tags: readonly ListedItem[], conversation: Conversation): Plan {
  const current = yield* tagsOfDocument(conversation);
  if (typeof current === 'string') return current;
  const ids = names.map((name) => findNamed(tags, name)?.id);
  const remaining = current.filter((id) => !ids.includes(id));
  if (remaining.length === current.length) return `This document does not carry ${allBold(names)}.`;
  const untagged = yield* use('update_document', { tag_ids: remaining });
  return untagged.kind === 'done'
    ? `This document no longer carries ${allBold(names)}.`
    : stopped('change the tags of the document', untagged);
}

/** The current tags of a document, because a change replaces all of them. */
function* tagsOfDocument({ document, documentId }: Conversation): Generator<Move, string[] | string, Outcome[]> {
  const outcome = yield* use('list_documents', { limit: 100, ...(document ? { name_search: document.name } : {}) });
  if (outcome.kind !== 'done') return stopped('read the tags of the document', outcome);
  const entry = listedIn('documents', outcome).find(({ id }) => id === documentId)?.entry;
  if (!entry)
    return 'I could not find this document in the list of documents, so I do not know its present tags and change none.';
  return Array.isArray(entry.tag_ids) ? entry.tag_ids.filter((id) => typeof id === 'string') : [];
}

function noSuchTag(name: string, tags: readonly ListedItem[]): string {
  return tags.length === 0
    ? 'There are no tags yet.'
    : `There is no tag “${name}”. There are ${tags.map((tag) => tag.name).join(', ')}.`;
}

function allBold(names: readonly string[]): string {
  return names.map(bold).join(', ');
}
