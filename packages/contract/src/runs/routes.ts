import { z } from 'zod';
import { artifactName, objectId, pageInfo, recordId, seenFields, timestamp } from '../base/fields.ts';
import { documentSelection } from './document-bulk.ts';
import { documentName, documentRouting, metadata } from '../documents/documents.ts';
import { onArrival } from '../documents/tags.ts';

/** Maximum number of routes of an organization. */
export const maxRoutes = 200;
/** Maximum number of documents of one simulation. */
export const maxSimulatedDocuments = 500;

/** A regular expression without look-around and back references, found anywhere in the value. */
const pattern = z.string().min(1).max(500);

/** What must hold of a document; all that is given. Strict, because a misspelled condition would select every document. */
export const routeWhen = z.strictObject({
  name_matches: pattern.optional(),
  /** The text contains each of these words or phrases, ignoring case. */
  text_contains: z.array(z.string().trim().min(1).max(200)).min(1).max(50).optional(),
  mime_types: z.array(z.string().trim().min(1).max(200)).min(1).max(50).optional(),
  /** The values of these keys match; a value that is no text is compared as JSON. */
  metadata: z
    .record(z.string().min(1).max(200), pattern)
    .refine((keys) => Object.keys(keys).length <= 20, 'A route compares at most 20 keys of metadata.')
    .optional(),
  pages: z
    .strictObject({ min: z.number().int().min(0).optional(), max: z.number().int().min(0).optional() })
    .optional(),
  /** The source that the document came from. */
  source_id: objectId.optional(),
  /** The document has the words of the verified documents of this prompt. Asks no model. */
  like: z.strictObject({ prompt_id: objectId }).optional(),
  /** One sentence that a model judges; all such sentences of a document are one request. */
  described_as: z.string().trim().min(1).max(500).optional(),
});
export type RouteWhen = z.infer<typeof routeWhen>;

/** What a document gets. */
export const routeThen = z.strictObject({
  tag_ids: z.array(objectId).max(100).optional(),
  /** Added to the document's; keys that it has keep their value. */
  metadata: metadata.optional(),
  /** The new name; `{original}`, `{date}` (of the upload) and `{sender}` (from the metadata) are replaced. */
  name: documentName.optional(),
  never_to_model: z.literal(true).optional(),
  /** What the tags of the routes start for the document; overrides what the tags say. */
  on_arrival: onArrival.optional(),
  /**
   * A PDF of several documents becomes these, which are routed in turn, once. `apply` splits if each boundary is sure, and
   * else waits for a user as `propose` does.
   */
  split: z.enum(['propose', 'apply']).optional(),
});
export type RouteThen = z.infer<typeof routeThen>;

const fields = {
  name: artifactName,
  when: routeWhen,
  then: routeThen,
  /** Whether later routes are skipped. Otherwise what they give adds up. */
  stop: z.boolean(),
  /** Takes documents by `like` and `described_as` without asking a user, however sure it is. */
  trust: z.boolean(),
  /** A document for which `like` or `described_as` is less sure than this waits for a user. */
  min_confidence: z.number().min(0.5).max(1),
  enabled: z.boolean(),
};

/** Where documents go when they have their text. Routes are judged in the order of `position`. */
export const route = z.object({
  ...fields,
  // Stored routes can have names that requests are refused with.
  name: z.string(),
  id: recordId,
  position: z.number().int(),
  created_by: z.string(),
  updated_at: timestamp,
});
export type Route = z.infer<typeof route>;

export const routeList = pageInfo.extend({ routes: z.array(route) });
export const createRouteBody = z.strictObject({
  ...fields,
  stop: fields.stop.default(true),
  trust: fields.trust.default(false),
  min_confidence: fields.min_confidence.default(0.9),
  enabled: fields.enabled.default(true),
});
export type CreateRouteBody = z.infer<typeof createRouteBody>;
export const patchRouteBody = z.strictObject({ ...fields, seen: seenFields }).partial();
export type PatchRouteBody = z.infer<typeof patchRouteBody>;
/** All routes of the organization, in their new order. */
export const orderRoutesBody = z.object({ ids: z.array(objectId).max(maxRoutes) });
export const orderedRoutes = z.object({ routes: z.array(route) });

/** A user decides which route a document takes; null for none. */
export const settleRoutingBody = z.object({ route_id: objectId.nullable() });

/** The documents by their ids or by a query of the list; without either, the newest ones. */
export const simulateRoutesBody = z.strictObject({
  document_ids: z.array(objectId).min(1).max(maxSimulatedDocuments).optional(),
  filter: documentSelection.optional(),
  max_documents: z.number().int().min(1).max(maxSimulatedDocuments).default(100),
  /** Routes that are not saved, instead of the organization's. */
  routes: z.array(createRouteBody).max(maxRoutes).optional(),
  /** Agrees to the requests to a model that `described_as` takes. */
  confirm: z.boolean().optional(),
});
export type SimulateRoutesBody = z.infer<typeof simulateRoutesBody>;
export const routeSimulation = z.object({
  documents: z.array(
    z.object({
      document_id: recordId,
      document_name: z.string(),
      state: documentRouting.shape.state,
      /** The names of the routes, since unsaved ones have no id. */
      routes: z.array(z.string()),
      why: z.string(),
      /** The names of the routes that might be right, for `unsure`. */
      candidates: z.array(z.string()).optional(),
    }),
  ),
  /** How many documents have `tag_ids` and would get `routed_tag_ids`. */
  confusion: z.array(
    z.object({ tag_ids: z.array(z.string()), routed_tag_ids: z.array(z.string()), count: z.number().int() }),
  ),
});
export type RouteSimulation = z.infer<typeof routeSimulation>;
