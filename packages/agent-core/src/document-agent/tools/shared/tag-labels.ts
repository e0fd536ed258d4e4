import { DomainError } from '@docwright/contract';
import type { AgentTags } from '../../context/services.ts';

/** The names of existing tags by id. */
export async function tagNames(tags: Pick<AgentTags, 'get'>, ids: readonly string[]): Promise<Map<string, string>> {
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

/** A list of tag names for users; a missing tag is shown by its id. */
export function tagLabels(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  return ids.length === 0 ? 'none' : ids.map((id) => names.get(id) ?? id).join(', ');
}
