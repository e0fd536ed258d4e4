import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import type { ExtractionRecord } from '../extractions/index.ts';
import { createReleaseUpdater } from './release-updater.ts';

it('judges long results one after another, since each takes tens of megabytes of memory', async () => {
  const newId = () => new mongoose.Types.ObjectId();
  const at = new Date();
  const long = JSON.stringify({ text: 'x'.repeat(600_000) });
  const records = Array.from({ length: 4 }, () => ({
    _id: newId(),
    organization_id: newId(),
    document_id: newId(),
    prompt_revid: newId(),
    prompt_id: newId().toHexString(),
    schema_revid: null,
    version: 1,
    changes: 1,
    result: long,
    original_result: long,
    grounding: '{}',
    validation_errors: [],
    is_edited: false,
    is_verified: false,
    model: 'm',
    usage: { prompt_tokens: 1, completion_tokens: 1, spu: 1, estimated: false },
    created_at: at,
    changed_at: at,
    applied_calls: [],
  }));
  let isRead = false;
  let open = 0;
  let most = 0;
  const nothing = async () => undefined;
  const updater = createReleaseUpdater({
    releases: {
      publishRemoved: nothing,
      withdrawLeftInTrash: nothing,
      async *organizations() {
        if (!isRead) yield records[0]!.organization_id;
        isRead = true;
      },
      pending: async () => records as unknown as ExtractionRecord[],
      isCurrent: async () => true,
      hasOtherVerified: async () => false,
      apply: async () => true,
      publish: nothing,
      markJudged: async () => void (open -= 1),
      postpone: async () => expect.unreachable(),
    } as never,
    rejudgements: { next: nothing } as never,
    policiesOf: () => ({ current: nothing, refit: async () => false }) as never,
    evidenceOf: () => ({}) as never,
    readerOf: () => ({ rules: async () => ({}) }) as never,
    async outsideBlocks() {
      open += 1;
      most = Math.max(most, open);
      return [];
    },
    log: { error: (fields) => expect(fields).toBeUndefined() },
  });
  await updater.work(new AbortController().signal);
  expect([open, most]).toEqual([0, 1]);
});
