import type { Connection } from 'mongoose';
import { pendingTurnModel } from '../features/turns/pending-turn-model.ts';
import { documentModel } from '../features/documents/records/document-model.ts';
import { documentRunModel } from '../features/headless/document-run-model.ts';
import { runModel } from '../features/runs/run-model.ts';
import { scheduleModel } from '../features/schedules/schedule-model.ts';

/** Waiting and active work of one queue over all organizations, and the start of the longest wait. */
export interface QueueDepth {
  queue: 'texts' | 'headless' | 'runs' | 'schedules';
  waiting: number;
  working: number;
  oldestWaitingSince: Date | undefined;
}

/** Its queries read only indexes. */
export type QueueDepthRepository = ReturnType<typeof createQueueDepthRepository>;

export function createQueueDepthRepository(connection: Connection) {
  const documents = documentModel(connection);
  const documentRuns = documentRunModel(connection);
  const runs = runModel(connection);
  const schedules = scheduleModel(connection);
  const waitingTurns = pendingTurnModel(connection);

  async function textDepth(): Promise<QueueDepth> {
    const [waiting, working, oldest] = await Promise.all([
      documents.countDocuments({ state: 'uploaded' }),
      documents.countDocuments({ state: 'ocr_processing' }),
      documents.findOne({ state: 'uploaded' }, { upload_date: 1 }).sort({ upload_date: 1 }).lean(),
    ]);
    return { queue: 'texts', waiting, working, oldestWaitingSince: oldest?.upload_date };
  }

  async function headlessDepth(): Promise<QueueDepth> {
    const [waiting, working, oldest] = await Promise.all([
      documentRuns.countDocuments({ state: 'queued' }),
      documentRuns.countDocuments({ state: 'running' }),
      documentRuns.findOne({ state: 'queued' }, { queued_at: 1 }).sort({ rank: 1, _id: 1 }).lean(),
    ]);
    return { queue: 'headless', waiting, working, oldestWaitingSince: oldest?.queued_at };
  }

  async function runDepth(): Promise<QueueDepth> {
    const active = { active: true } as const;
    const [waiting, working, oldest] = await Promise.all([
      runs.countDocuments({ ...active, state: 'queued' }),
      runs.countDocuments({ ...active, state: 'running' }),
      runs
        .findOne({ ...active, state: 'queued' }, { created_at: 1 })
        .sort({ _id: 1 })
        .lean(),
    ]);
    return { queue: 'runs', waiting, working, oldestWaitingSince: oldest?.created_at };
  }

  async function scheduleDepth(): Promise<QueueDepth> {
    const overdue = { next_due_at: { $type: 'date', $lte: new Date() } } as const;
    const [waiting, oldest] = await Promise.all([
      schedules.countDocuments(overdue),
      schedules.findOne(overdue, { next_due_at: 1 }).sort({ next_due_at: 1 }).lean(),
    ]);
    return { queue: 'schedules', waiting, working: 0, oldestWaitingSince: oldest?.next_due_at ?? undefined };
  }

  return {
    /** Turns that wait for a user's decision. */
    waitingTurns: (): Promise<number> => waitingTurns.countDocuments({ expires_at: { $gt: new Date() } }),
    depths: (): Promise<QueueDepth[]> => Promise.all([textDepth(), headlessDepth(), runDepth(), scheduleDepth()]),
  };
}
