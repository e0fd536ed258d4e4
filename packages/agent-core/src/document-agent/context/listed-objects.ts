import type { WorkingState } from '@docwright/contract';
import type { KnownObject } from '../../provenance/seen-content.ts';
import { undefinedOnDomainError } from '../../tool/undefined-on-domain-error.ts';
import type { DocumentAgentServices } from './services.ts';

/** Maximum number of objects of a kind that the product names in a request. */
export const maxNamed = 10;

/**
 * The objects that the product itself names in each request: newest schemas, tags of the document, prompts that fit, and what the conversation
 * works on. With their names, so that an id in a call is recognized as the object that a document named.
 */
export async function listedObjects(
  { document, schemas, prompts, tags }: Pick<DocumentAgentServices, 'document' | 'schemas' | 'prompts' | 'tags'>,
  { schema_revid, prompt_revid }: WorkingState,
  tagIds: readonly string[],
): Promise<KnownObject[]> {
  const [newest, fitting, schema, prompt, worn] = await Promise.all([
    schemas.list({ skip: 0, limit: maxNamed }),
    document.id === '' ? undefined : prompts.list({ skip: 0, limit: maxNamed, document_id: document.id }),
    schema_revid === null ? undefined : undefinedOnDomainError(() => schemas.get(schema_revid)),
    prompt_revid === null ? undefined : undefinedOnDomainError(() => prompts.get(prompt_revid)),
    Promise.all(tagIds.slice(0, maxNamed).map((id) => undefinedOnDomainError(() => tags.get(id)))),
  ]);
  return [
    ...worn.flatMap((tag) => (tag === undefined ? [] : [{ ids: [tag.tag_id], names: [tag.name] }])),
    ...[...newest.schemas, ...(schema ? [schema] : [])].map((each) => ({
      ids: [each.schema_id, each.schema_revid],
      names: [each.name],
    })),
    ...[...(fitting?.prompts ?? []), ...(prompt ? [prompt] : [])].map((each) => ({
      ids: [each.prompt_id, each.prompt_revid],
      names: [each.name],
    })),
  ];
}
