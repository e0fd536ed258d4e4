import { DomainError, parseWhere, type SavedView, type SavedViewBody } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import type { Actor } from '../../identity/index.ts';
import type { PromptService } from '../../prompts/index.ts';
import { savedViewModel, type SavedViewRecord } from './saved-view-model.ts';

/** Views of the results of prompts, with the rights of one user: the user's own ones, and those that others share. */
export type SavedViews = ReturnType<ReturnType<typeof createSavedViews>>;

const maxViews = 200;

export function createSavedViews(connection: Connection, prompts: (actor: Actor) => Pick<PromptService, 'getCurrent'>) {
  const model = savedViewModel(connection);
  return (actor: Actor) => {
    const organization_id = new mongoose.Types.ObjectId(actor.organizationId);
    return {
      async list(promptId: string): Promise<{ views: SavedView[]; total_count: number }> {
        const { prompt_id } = await prompts(actor).getCurrent(promptId);
        const records = await model
          .find({ organization_id, prompt_id, $or: [{ created_by: actor.userId }, { is_shared: true }] })
          .sort({ name: 1, _id: 1 })
          .lean();
        return { views: records.map(present), total_count: records.length };
      },
      /** Replaces the user's view of the same name. */
      async save(promptId: string, view: SavedViewBody): Promise<SavedView> {
        const { prompt_id } = await prompts(actor).getCurrent(promptId);
        parseWhere(view.where);
        if ((await model.countDocuments({ organization_id, prompt_id })) >= maxViews) {
          throw new DomainError('conflict', 'too_many_views', `A prompt has at most ${maxViews} saved views.`);
        }
        const saved = await model
          .findOneAndUpdate(
            { organization_id, prompt_id, created_by: actor.userId, name: view.name },
            { $set: view, $setOnInsert: { created_at: new Date() } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean();
        return present(saved);
      },
      /** Deletes an own view; as an admin also a shared one. Throws `view_not_found`. */
      async remove(promptId: string, viewId: string): Promise<void> {
        const { prompt_id } = await prompts(actor).getCurrent(promptId);
        const own = { created_by: actor.userId };
        const { deletedCount } = await model.deleteOne({
          _id: objectIdOf(viewId) ?? new mongoose.Types.ObjectId(),
          organization_id,
          prompt_id,
          ...(actor.role === 'admin' ? { $or: [own, { is_shared: true }] } : own),
        });
        if (deletedCount === 0) throw new DomainError('not_found', 'view_not_found', 'There is no such view of yours.');
      },
    };
  };
}

function present({ _id, organization_id: _organization, created_at, ...view }: SavedViewRecord): SavedView {
  return { id: _id.toHexString(), ...view, created_at: created_at.toISOString() };
}
