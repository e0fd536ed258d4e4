import type { RuleInput } from '../../conversation/conversation.ts';
import { bold, linked } from '../../conversation/markdown.ts';
import { describeRefusal, textIn } from '../../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../../conversation/plan.ts';
import { findNamed, listedIn, type ListedItem } from './listed-items.ts';
import type { TagRequest } from './tag-requests.ts';

/** Creates, renames and deletes tags, adds them to the document and removes them. */
export function* manageTags(request: TagRequest, conversation: RuleInput): PlanOfSteps {
  if (request.kind === 'create') {
    const created = yield* createTag(request.name, request.color);
    return typeof created === 'string' ? created : `I created the tag ${linked(request.name, 'tag', created.id)}.`;
  }
  const listed = yield* use('list_tags', { limit: 100 });
  if (listed.kind !== 'done') return describeRefusal('list the tags', listed);
  const tags = listedIn('tags', listed);
  if (request.kind === 'add') return yield* addTags(request.names, tags);
  if (request.kind === 'remove') return yield* removeTags(request.names, tags, conversation);

  const tag = findNamed(tags, request.name);
  if (!tag) return describeNotFound(request.name, tags);
  if (request.kind === 'rename') {
    const renamed = yield* use('update_tag', { tag_id: tag.id, name: request.to });
    return renamed.kind === 'done'
      ? `The tag ${bold(tag.name)} is now called ${bold(request.to)}.`
      : describeRefusal('rename the tag', renamed);
  }
  const deleted = yield* use('delete_tag', { tag_id: tag.id });
  return deleted.kind === 'done' ? `The tag ${bold(tag.name)} is deleted.` : describeRefusal('delete the tag', deleted);
}

function* createTag(name: string, color: string | null): BatchSteps<{ id: string } | string> {
  if (name === '') return 'What should the tag be called? For example “create a tag billing”.';
  const created = yield* use('create_tag', { name, ...(color === null ? {} : { color }) });
  return created.kind === 'done'
    ? { id: textIn(created, 'tag_id') }
    : describeRefusal(`create the tag ${name}`, created);
}

function* addTags(names: readonly string[], tags: readonly ListedItem[]): PlanOfSteps {
  const added: string[] = [];
  for (const name of names) {
    const known = findNamed(tags, name)?.id;
    const created = known === undefined ? yield* createTag(name, null) : { id: known };
    if (typeof created === 'string') return created;
    added.push(created.id);
  }
  const tagged = yield* use('update_document', { add_tag_ids: added });
  return tagged.kind === 'done'
    ? `This document is tagged with ${allBold(names)}.`
    : describeRefusal('tag the document', tagged);
}

function* removeTags(names: readonly string[], tags: readonly ListedItem[], conversation: RuleInput): PlanOfSteps {
  const current = yield* tagsOfDocument(conversation);
  if (typeof current === 'string') return current;
  const ids = names.map((name) => findNamed(tags, name)?.id);
  const removed = current.filter((id) => ids.includes(id));
  if (removed.length === 0) return `This document is not tagged with ${allBold(names)}.`;
  const untagged = yield* use('update_document', { remove_tag_ids: removed });
  return untagged.kind === 'done'
    ? `This document is no longer tagged with ${allBold(names)}.`
    : describeRefusal('change the tags of the document', untagged);
}

/** The current tags of a document. */
function* tagsOfDocument({ document, documentId }: RuleInput): BatchSteps<string[] | string> {
  const outcome = yield* use('list_documents', { limit: 100, ...(document ? { name_search: document.name } : {}) });
  if (outcome.kind !== 'done') return describeRefusal('read the tags of the document', outcome);
  const entry = listedIn('documents', outcome).find(({ id }) => id === documentId)?.entry;
  if (!entry)
    return 'I could not find this document in the list of documents, so I do not know its tags and changed none.';
  return Array.isArray(entry.tag_ids) ? entry.tag_ids.filter((id) => typeof id === 'string') : [];
}

function describeNotFound(name: string, tags: readonly ListedItem[]): string {
  return tags.length === 0
    ? 'There are no tags yet.'
    : `There is no tag “${name}”. There are ${tags.map((tag) => tag.name).join(', ')}.`;
}

function allBold(names: readonly string[]): string {
  return names.map(bold).join(', ');
}
