import mongoose, { type Connection } from 'mongoose';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/index.ts';
import { createUserRepository } from '../identity/index.ts';
import { revisionModels } from '../revisions/index.ts';

type NamesById = Map<string, string>;

/** The current names of the items that usage is listed by. Deleted items have none. */
export type UsageNames = ReturnType<typeof createUsageNames>;

export function createUsageNames(connection: Connection) {
  const users = createUserRepository(connection);
  const documents = documentModel(connection);
  const prompts = revisionModels(connection, 'prompt').artifacts;
  const within = (organizationId: string, ids: readonly string[]) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    _id: { $in: objectIdsOf(ids) },
  });
  return {
    async documents(organizationId: string, ids: readonly string[]): Promise<NamesById> {
      if (ids.length === 0) return new Map();
      const found = await documents.find(within(organizationId, ids), { document_name: 1 }).lean();
      return new Map(found.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
    },
    /** Also the prompts that are pending review: no list of theirs is shown before. */
    async prompts(
      organizationId: string,
      ids: readonly string[],
    ): Promise<{ names: NamesById; pending: ReadonlySet<string> }> {
      if (ids.length === 0) return { names: new Map(), pending: new Set() };
      const found = await prompts
        .find({ ...within(organizationId, ids), deleted_at: null }, { name: 1, review: 1 })
        .lean();
      const pending = found.filter(({ review }) => review === 'pending');
      return {
        names: new Map(found.map(({ _id, name }) => [_id.toHexString(), name])),
        pending: new Set(pending.map(({ _id }) => _id.toHexString())),
      };
    },
    async users(ids: readonly string[]): Promise<NamesById> {
      const known = ids.filter((id) => objectIdOf(id) !== undefined);
      const found = known.length === 0 ? [] : await users.findManyById(known);
      return new Map(found.map(({ id, name }) => [id, name]));
    },
  };
}
