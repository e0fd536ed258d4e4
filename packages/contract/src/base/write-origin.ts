import { z } from 'zod';
import { recordId } from './fields.ts';

/**
 * Through what something was written: a chat with a person, the API (the web app among its clients), a run or a
 * schedule, the arrival of a document, a client of the Model Context Protocol, or a proposal without a person.
 */
export const originKind = z.enum(['chat', 'api', 'run', 'schedule', 'arrival', 'mcp', 'auto_create']);
export type OriginKind = z.infer<typeof originKind>;

/** What becomes of a call that would have to ask where nobody is: it is denied, or waits in the inbox. */
export const onAsk = z.enum(['deny', 'park']);
export type OnAsk = z.infer<typeof onAsk>;

/** `id` is the run's, the schedule's, or the thread's of a chat. */
export const writeOrigin = z.object({ kind: originKind, id: recordId.optional() });
export type WriteOriginInfo = z.infer<typeof writeOrigin>;
