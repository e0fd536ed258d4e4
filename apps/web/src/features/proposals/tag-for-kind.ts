import type { AcceptKindBody, Proposal, Tag } from '@docwright/contract';

/** The tag to accept a kind with: an existing one, a new one, or none. */
export type TagForKind = { kind: 'none' } | { kind: 'tag'; tagId: string } | { kind: 'new'; name: string };

/** `Invoice, Contoso` → `Contoso`; without an issuer, the name of the kind. */
export const tagNameOf = ({ name }: Pick<Proposal, 'name'>): string => (name.split(',').at(-1) ?? name).trim();

/** The prompt's own tag, else an existing tag with the name that a new one would get, else a new tag. */
export function suggestedTag(proposal: Pick<Proposal, 'name' | 'tag_ids'>, tags: readonly Tag[]): TagForKind {
  const [promptTag] = proposal.tag_ids;
  if (promptTag !== undefined) return { kind: 'tag', tagId: promptTag };
  const name = tagNameOf(proposal);
  const existingTag = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
  return existingTag ? { kind: 'tag', tagId: existingTag.tag_id } : { kind: 'new', name };
}

export function tagBodyOf(tag: TagForKind, documentIds: string[] | undefined): AcceptKindBody {
  return {
    ...(tag.kind === 'tag' ? { tag_id: tag.tagId } : {}),
    ...(tag.kind === 'new' ? { new_tag: { name: tag.name } } : {}),
    ...(documentIds === undefined ? {} : { document_ids: documentIds }),
  };
}
