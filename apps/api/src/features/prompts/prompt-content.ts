import { isDeepStrictEqual } from 'node:util';
import type { MappedField, Prompt, ReleasePolicy, ReviewPolicy, updatePromptBody } from '@docwright/contract';
import type { z } from 'zod';
import type { Revision } from '../revisions/index.ts';
import type { PromptContent } from './prompt-repository.ts';

/** The schema of a prompt, at one of its versions. */
export type SchemaOfPrompt = Pick<PromptContent, 'schema_id' | 'schema_version' | 'schema_revid'>;

/** The order of the fields is fixed: equal content is recognised by its JSON. */
export function promptContentOf(
  {
    content,
    model,
    examples,
    evidence,
    second_read,
    second_model,
    machine_map,
    tag_ids,
  }: {
    content: string;
    model?: string | undefined;
    examples?: PromptContent['examples'] | undefined;
    evidence?: boolean | undefined;
    second_read?: boolean | undefined;
    second_model?: string | undefined;
    machine_map?: MappedField[] | undefined;
    tag_ids: string[];
  },
  schema: SchemaOfPrompt,
): PromptContent {
  return {
    content,
    ...schema,
    ...(model === undefined ? {} : { model }),
    ...(examples && examples.count > 0 ? { examples: { count: examples.count } } : {}),
    ...(evidence ? { evidence: true as const } : {}),
    ...(second_read ? { second_read } : {}),
    ...(second_model === undefined ? {} : { second_model }),
    ...(machine_map && machine_map.length > 0 ? { machine_map } : {}),
    tag_ids: [...new Set(tag_ids.map((id) => id.toLowerCase()))],
  };
}

/** Settings belong to the prompt, not to its revisions: a change of them does not change results. */
export function settingsOf(
  { review_policy, release_policy }: Pick<z.infer<typeof updatePromptBody>, 'review_policy' | 'release_policy'>,
  changed_by: string,
): Record<string, unknown> | undefined {
  if (review_policy === undefined && release_policy === undefined) return undefined;
  const changed_at = new Date().toISOString();
  return {
    ...(review_policy !== undefined && { review_policy }),
    ...(release_policy !== undefined && { release_policy: { policy: release_policy, changed_by, changed_at } }),
  };
}

/** The noted settings again after an undo. A policy that changes by it names the user who undid. */
export function settingsAgain(
  { release_policy, ...noted }: Readonly<Record<string, unknown>>,
  present: Readonly<Record<string, unknown>>,
  userId: string,
): Record<string, unknown> {
  const [former, now] = [release_policy, present['release_policy']] as ({ policy: ReleasePolicy | null } | undefined)[];
  if (isDeepStrictEqual(former?.policy ?? null, now?.policy ?? null))
    return { ...noted, ...(now && { release_policy: now }) };
  return { ...noted, ...settingsOf({ release_policy: former?.policy ?? null }, userId) };
}

/** A revision, with the settings of its prompt, as callers see it. */
export function presentPrompt(revision: Revision<PromptContent>): Prompt {
  const policy = revision.settings?.['review_policy'] as ReviewPolicy | null | undefined;
  const release = revision.settings?.['release_policy'] as { policy: Required<ReleasePolicy> | null } | undefined;
  return {
    prompt_id: revision.artifact_id,
    prompt_revid: revision.revid,
    prompt_version: revision.version,
    name: revision.name,
    ...revision.content,
    ...(policy && { review_policy: policy }),
    release_policy: release?.policy ?? null,
    ...(revision.review === undefined ? {} : { auto_created: true as const, review: revision.review }),
    created_at: revision.created_at,
    created_by: revision.created_by,
  };
}
