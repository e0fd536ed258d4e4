export { countOpen, countToCheck, reviewQueueModel } from './review-queue-model.ts';
