export { countOpen, reviewQueueModel } from './review-queue-model.ts';
