import { hasInAnyCase, patternOf } from '../../platform/database/name-search.ts';
import type { PageSelection } from '../../platform/database/page.ts';
import type { ArtifactFilter } from './revision-model.ts';

/** Selects artifacts by their review. `any` is for checks of references, never for lists that users choose from. */
export type ReviewFilter = 'reviewed' | 'pending' | 'any';

export interface RevisionQuery extends PageSelection {
  name_search?: string | undefined;
  /** Default: `reviewed`. */
  review?: ReviewFilter | undefined;
  /** Conditions on the facets of the current revision or on the document of origin. */
  where?: ArtifactFilter;
}

/** The filter of a list. */
export function whereOf({ where, name_search, review = 'reviewed' }: RevisionQuery): ArtifactFilter {
  const filter: ArtifactFilter = { ...where };
  if (name_search) filter.name = hasInAnyCase(name_search);
  if (review !== 'any') filter.review = review === 'pending' ? 'pending' : { $ne: 'pending' };
  return filter;
}

export function whereNamed(name: string): ArtifactFilter {
  return { name: { $regex: `^${patternOf(name)}$`, $options: 'i' } };
}
