import type { DocumentState } from '@docwright/contract';
import mongoose, { type Model, type QueryFilter, type Types } from 'mongoose';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import type { SharedLeases } from '../../../platform/leases/shared-leases.ts';
import type { DocumentRecord } from './document-model.ts';
import { changeOfState, exceptWithinRun, runPrompt, type ModelRunPrompt, type StateError } from './model-run-prompt.ts';

const modelLeaseMs = 60_000;

/** The states of the documents of one organization, and the runs of models that change them. */
export function createModelRuns(
  model: Model<DocumentRecord>,
  modelRuns: SharedLeases,
  organization_id: Types.ObjectId,
) {
  const one = (id: string): QueryFilter<DocumentRecord> => ({
    _id: new mongoose.Types.ObjectId(id),
    organization_id,
    deleted_at: null,
  });
  return {
    async setState(ids: readonly string[], state: DocumentState): Promise<void> {
      const selected = { _id: { $in: objectIdsOf(ids) }, organization_id, deleted_at: null };
      await model.updateMany({ ...selected, ...exceptWithinRun(state) }, changeOfState(state));
    },
    /** Starts a run of a model on the document. Returns the token of its lease. */
    async startModelRun(id: string, prompt?: ModelRunPrompt): Promise<string> {
      const own = prompt ? [{ $literal: runPrompt(prompt) }] : [];
      const model_run_prompts = { $concatArrays: [{ $ifNull: ['$model_run_prompts', []] }, own] };
      return await modelRuns.join(one(id), modelLeaseMs, { state: 'llm_processing', model_run_prompts }, [
        'state_error',
      ]);
    },
    /** Renews the lease of a run for a minute. Returns false if it has expired. */
    async renewModelRun(id: string, token: string): Promise<boolean> {
      return await modelRuns.renew(one(id), token, modelLeaseMs);
    },
    /** Stores the outcome of a run; does nothing if its lease has expired. */
    async finishModelRun(
      id: string,
      token: string,
      state: DocumentState,
      error?: StateError,
      prompt?: ModelRunPrompt,
    ): Promise<void> {
      const done = prompt ? { $pull: { model_run_prompts: { prompt_revid: prompt.prompt_revid } } as never } : {};
      const change = { ...changeOfState(state, error, prompt), ...done };
      const isLast = await modelRuns.leave({ ...one(id), ...exceptWithinRun(state) }, token, change);
      if (!isLast) await modelRuns.leave(one(id), token, done);
    },
  };
}
