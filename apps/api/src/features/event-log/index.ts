export { outboxEvent, toOutbox } from './event-log-repository.ts';
export type { EventLog, NewEvent } from './event-log-repository.ts';
export { indexOutbox } from './event-log-model.ts';
export type { EventRecord, OutboxEvent } from './event-log-model.ts';
