import { hasInAnyCase, patternOf } from '../../platform/database/name-search.ts';
import type { ArtifactFilter } from './revision-model.ts';

/**
 * Which things a list has: those that wait for no review, unless others are asked for. `any` is for checks of what uses
 * what; nobody chooses from such a list.
 */
export type ReviewFilter = 'reviewed' | 'pending' | 'any';

export interface RevisionQuery {
  skip: number;
  limit: number;
  name_search?: string | undefined;
  /** `reviewed` where it is left out. */
  review?: ReviewFilter | undefined;
  /** Conditions on the facets of the current revision or on where the thing was made. */
  where?: ArtifactFilter;
}

/** The one place that says what a list has, and what it leaves out. */
export function whereOf({ where, name_search, review = 'reviewed' }: RevisionQuery): ArtifactFilter {
  const filter: ArtifactFilter = { ...where };
  if (name_search) filter.name = hasInAnyCase(name_search);
  if (review !== 'any') filter.review = review === 'pending' ? 'pending' : { $ne: 'pending' };
  return filter;
}

export function whereNamed(name: string): ArtifactFilter {
  return { name: { $regex: `^${patternOf(name)}$`, $options: 'i' } };
}
