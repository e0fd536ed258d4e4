import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Extraction, Schema, WorkingState } from '@docwright/contract';
import type { PromptContext } from '../../loop/agent-profile.ts';
import type { DocumentPlace, KnownObject } from '../../provenance/known-object.ts';
import { addKeys, schemaTexts, textsIn, withoutPaths } from '../../provenance/read-content.ts';
import type { GivenContent } from '../../provenance/seen-content.ts';
import type { IndexedText } from '../../provenance/text/text-index.ts';
import { undefinedOnDomainError } from '../../tool/undefined-on-domain-error.ts';
import { changedResult } from './changes-since.ts';
import { resultOf } from './extraction-context.ts';
import { findMentions, mentionedObject, type ResolvedMention } from './mention.ts';
import { readDocument } from './reading.ts';
import type { DocumentAgentServices } from './services.ts';

/** Maximum number of objects of a kind that the product names in a request. */
export const maxNamed = 10;

/**
 * The content of the prompt for provenance: mentions, working state, and name, metadata and all pages of the document,
 * including pages outside the excerpt.
 */
export async function givenContent({
  services,
  workingState,
  mentions,
}: PromptContext<DocumentAgentServices>): Promise<GivenContent> {
  const { program } = services;
  // A call of a program that concerns no document is only shown at one.
  const isOnDocument = services.document.id !== '' && program?.namesDocument !== false;
  const [{ pages }, found, document, changed] = await Promise.all([
    isOnDocument ? readDocument(services) : { pages: [] },
    findMentions(services, mentions),
    // The turn can have deleted its own document.
    isOnDocument ? undefinedOnDomainError(() => services.documents.get(services.document.id)) : undefined,
    changedResult(services, workingState.extraction),
  ]);
  const listed = await listedObjects(services, workingState, document?.tag_ids ?? []);
  const { schema_revid, prompt_revid, extraction } = workingState;
  const fields = new Set<string>();
  const problems = problemsOf(extraction, fields);
  const reasons = [document?.state_error?.message, ...pages.map(({ why_empty }) => why_empty)];
  const texts = (values: readonly unknown[], found_in: DocumentPlace['found_in']): IndexedText<DocumentPlace>[] =>
    values.flatMap((each) => textsIn(each)).map(({ text }) => ({ text, place: { found_in } }));
  const values: IndexedText<DocumentPlace>[] = [];
  for (const result of [resultOf(extraction), changed?.result]) {
    // Each can have tens of thousands of values, and others wait meanwhile.
    await nextTurn();
    addKeys(result, fields);
    await nextTurn();
    for (const each of texts([result], 'extraction')) values.push(each);
  }
  addKeys(document?.metadata, fields);
  return {
    ...(program && { read: await program.read() }),
    ...(program !== undefined &&
      isOnDocument && { namedDocument: { id: services.document.id, name: services.document.name } }),
    mentioned: found.map(mentionedObject),
    known: [...listed, ...found.flatMap(linkedObjects), { ids: [], names: [], fields: [...fields] }],
    workingIds: [schema_revid, prompt_revid].filter((id) => id !== null),
    pages,
    documentTexts: [
      ...texts([...(isOnDocument ? [services.document.name] : []), ...unreadTexts(document?.unread)], 'file_name'),
      ...texts([document?.metadata], 'metadata'),
      ...values,
      ...texts(problems, 'extraction'),
      ...texts(reasons, 'page'),
      ...texts(found.flatMap(dictatedTexts), 'tool_result'),
    ],
  };
}

/** Names of attachments and sheets: a message can hold them too. */
const unreadTexts = (unread: readonly { name?: string | undefined; message: string }[] = []) =>
  unread.flatMap(({ name, message }) => [name, message]);

/** What the working state says of a result beside its values. The fields in its paths are added to `fields`. */
function problemsOf(extraction: unknown, fields: Set<string>): unknown[] {
  const { validation_errors, incomplete } = (extraction ?? {}) as Partial<Extraction> & { incomplete?: unknown };
  return [validation_errors, incomplete].map((each) => withoutPaths(each, fields));
}

/** The texts of a mentioned object: the user chose the object, and a document can have dictated its text earlier. */
function dictatedTexts(mention: ResolvedMention): unknown[] {
  if (mention.type === 'tag') return [mention.tag.description];
  if (mention.type === 'schema') return schemaTexts(mention.schema).texts;
  const { content, machine_map } = mention.prompt;
  return [content, machine_map];
}

/** What a mention names beside its own object, and the fields of a mentioned schema. */
function linkedObjects(mention: ResolvedMention): KnownObject[] {
  if (mention.type === 'schema') return [objectOfSchema(mention.schema)];
  if (mention.type === 'tag') return [];
  const { schema, tags } = mention.links;
  const { schema_id, schema_revid } = mention.prompt;
  return [
    ...(schema === undefined ? [] : [{ ids: [schema_id, schema_revid].filter(isKnown), names: [schema.name] }]),
    ...tags.map(({ tag_id, name }) => ({ ids: [tag_id], names: [name] })),
  ];
}

const isKnown = <Value>(value: Value | undefined): value is Value => value !== undefined;

const objectOfSchema = (schema: Schema): KnownObject => ({
  ids: [schema.schema_id, schema.schema_revid],
  names: [schema.name],
  fields: schemaTexts(schema).fields,
});

/**
 * The objects that the product itself names in each request: newest schemas, tags of the document, prompts that fit with their
 * schemas, and what the conversation works on, as it was and as it is now. With their names, so that an id in a call is
 * recognized as the object that a document named.
 */
async function listedObjects(
  { document, schemas, prompts, tags }: Pick<DocumentAgentServices, 'document' | 'schemas' | 'prompts' | 'tags'>,
  { schema_revid, prompt_revid }: WorkingState,
  tagIds: readonly string[],
): Promise<KnownObject[]> {
  const [newest, fitting, schema, prompt, worn] = await Promise.all([
    schemas.list({ skip: 0, limit: maxNamed }),
    // The turn can have deleted its own document.
    document.id === ''
      ? undefined
      : undefinedOnDomainError(() => prompts.list({ skip: 0, limit: maxNamed, document_id: document.id })),
    schema_revid === null ? undefined : undefinedOnDomainError(() => schemas.get(schema_revid)),
    prompt_revid === null ? undefined : undefinedOnDomainError(() => prompts.get(prompt_revid)),
    Promise.all(tagIds.slice(0, maxNamed).map((id) => undefinedOnDomainError(() => tags.get(id)))),
  ]);
  const revisions = [...new Set((fitting?.prompts ?? []).map((each) => each.schema_revid).filter(isKnown))];
  const [schemaNow, promptNow, read] = await Promise.all([
    schema && undefinedOnDomainError(() => schemas.getCurrent(schema.schema_id)),
    prompt && undefinedOnDomainError(() => prompts.getCurrent(prompt.prompt_id)),
    Promise.all(revisions.map((revid) => undefinedOnDomainError(() => schemas.get(revid)))),
  ]);
  return [
    ...worn.filter(isKnown).map((tag) => ({ ids: [tag.tag_id], names: [tag.name] })),
    ...[...newest.schemas, schema, schemaNow, ...read].filter(isKnown).map(objectOfSchema),
    ...[...(fitting?.prompts ?? []), prompt, promptNow].filter(isKnown).map((each) => ({
      ids: [each.prompt_id, each.prompt_revid],
      names: [each.name],
    })),
  ];
}
