import { DomainError } from '@docwright/contract';
import type { TagService } from '../../context/services.ts';

/** The names of tags by id; one that is not there is left out. */
export async function tagNames(tags: Pick<TagService, 'get'>, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const id of new Set(ids)) {
    try {
      names.set(id, (await tags.get(id)).name);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return names;
}

/** Tags as a person reads them; one without a name by its id. */
export function tagLabels(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  return ids.length === 0 ? 'none' : ids.map((id) => names.get(id) ?? id).join(', ');
}
