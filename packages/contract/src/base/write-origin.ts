import { z } from 'zod';
import { recordId } from './fields.ts';

/**
 * The channel of a write. `api` includes the web app; `arrival` is the processing of a new document; `mcp` is a client of
 * the Model Context Protocol; `auto_create` is an unattended proposal.
 */
export const originKind = z.enum(['chat', 'api', 'run', 'schedule', 'arrival', 'mcp', 'auto_create']);
export type OriginKind = z.infer<typeof originKind>;

/** What happens to a call of an unattended run that needs approval: it is denied, or waits in the inbox. */
export const onAsk = z.enum(['deny', 'park']);
export type OnAsk = z.infer<typeof onAsk>;

/** `id` is the id of the run, the schedule, or the thread of a chat. An arrival names the route and the source of its document. */
export const writeOrigin = z.object({
  kind: originKind,
  id: recordId.optional(),
  route_id: recordId.optional(),
  source_id: recordId.optional(),
});
export type WriteOriginInfo = z.infer<typeof writeOrigin>;
