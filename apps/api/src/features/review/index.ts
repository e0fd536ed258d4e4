export { countOpen, reviewQueueModel } from './review-queue-model.ts';
export type { StraightThroughSums } from './straight-through-repository.ts';
