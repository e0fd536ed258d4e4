import { DomainError, type Tag } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { TagService } from '../tags/index.ts';
import type { SyncedSource } from './sync-service.ts';

interface TagsNamedDependencies {
  tags: (actor: Actor) => Pick<TagService, 'create' | 'list'>;
}

const maxNameLength = 100;

/** The ids of the organization's tags of these names, without regard to case; those that do not exist are created. */
export function createTagsNamed({ tags }: TagsNamedDependencies) {
  return async ({ organizationId, createdBy }: SyncedSource, names: readonly string[]): Promise<string[]> => {
    const service = tags({ organizationId, userId: createdBy, role: 'member' });
    const find = async (name: string): Promise<Tag | undefined> => {
      const { tags: found } = await service.list({ skip: 0, limit: 100, name_search: name });
      return found.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
    };
    const ids: string[] = [];
    for (const given of new Set(names)) {
      const name = given.trim().slice(0, maxNameLength);
      if (name === '') continue;
      const tag = (await find(name)) ?? (await service.create({ name }).catch(ignoreTaken)) ?? (await find(name));
      if (tag !== undefined) ids.push(tag.tag_id);
    }
    return ids;
  };
}

/** Another process was faster. */
function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.code !== 'tag_name_taken') throw error;
}
