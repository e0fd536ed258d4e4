import { isDeepStrictEqual } from 'node:util';
import type { ArtifactRecord } from './revision-model.ts';

/**
 * Parts of a content that belong to the artifact and not to its revisions, such as the tags of a prompt: results do not
 * depend on them, so a change of them alone must not make results those of an earlier version. The artifact's facets hold them.
 */
export interface SharedContent<Content> {
  /** The parts as the artifact has them. */
  of(artifact: Partial<Pick<ArtifactRecord, 'facets'>>): Partial<Content>;
  /** The parts that differ between two contents, as they are in the second one. */
  changed(before: Content, after: Content): Partial<Content>;
  /** The other facets, which belong to a revision, each by its path. */
  ownFacets(facets: ArtifactRecord['facets']): Record<string, unknown>;
  /** Whether a revision with these contents would be the same one. */
  isSameRevision(one: Content, other: Content): boolean;
}

export function sharedContent<Content>(keys: readonly (keyof Content & string)[]): SharedContent<Content> {
  const isShared = (key: string) => (keys as readonly string[]).includes(key);
  const own = (content: Content) => JSON.stringify({ ...content, ...Object.fromEntries(keys.map((key) => [key, 0])) });
  return {
    of: ({ facets = {} }) =>
      Object.fromEntries(
        keys.filter((key) => Object.hasOwn(facets, key)).map((key) => [key, facets[key]]),
      ) as Partial<Content>,
    changed: (before, after) =>
      Object.fromEntries(
        keys.filter((key) => !isDeepStrictEqual(before[key], after[key])).map((key) => [key, after[key]]),
      ) as Partial<Content>,
    ownFacets: (facets) =>
      Object.fromEntries(
        Object.entries(facets).flatMap(([key, value]) => (isShared(key) ? [] : [[`facets.${key}`, value]])),
      ),
    isSameRevision: (one, other) => own(one) === own(other),
  };
}
