import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { encodeSteps } from './encode-steps.ts';
import { inTurns } from './in-turns.ts';
import { createFairPlaces } from '../places/fair-places.ts';
import { withoutMisfits } from '../records/readable-lists.ts';
import { partyOf } from '../places/party-of.ts';
import { whenClosed } from '../streams/when-closed.ts';
import { isLongValue, longJson } from './long-json.ts';

/**
 * Requests whose answers can be long, in two groups. All answers are made on one thread, so that more at once are no faster;
 * an organization has at most a third of the places, so that it delays another's little. Streams are not among them: each
 * would keep its place until it is closed.
 */
const groups: { inAll: number; ofParty: number; operations: ReadonlySet<string> }[] = [
  {
    // Whole results: each takes about 150 MB while it is read or written, also for a request that is refused then.
    inAll: 6,
    ofParty: 2,
    operations: new Set([
      'listExtractions',
      'getExtraction',
      'listExtractionVersions',
      'getExtractionVersion',
      'updateExtractionField',
      'verifyExtraction',
      'restoreExtractionVersion',
      'releaseResult',
      'decideReview',
      'undoWrite',
    ]),
  },
  {
    // A page of records with metadata, schemas, arguments or texts, or a whole conversation: up to about 10 MB.
    inAll: 12,
    ofParty: 4,
    operations: new Set([
      'listDocuments',
      'listTrash',
      'getDocumentText',
      'getPageWords',
      'listThreads',
      'getThread',
      'getLatestTurn',
      'listAskThreads',
      'getAskThread',
      'getAskLatestTurn',
      'listAgentConversations',
      'getAgentConversation',
      'getTaskConversation',
      'listApprovals',
      'listAuditEntries',
      'listProposals',
      'listPrompts',
      'listPromptVersions',
      'listSchemas',
      'listSchemaVersions',
      'listResults',
      'listReview',
      'listRuns',
      'listRunDocuments',
      'listEvaluations',
      'listEvaluationDifferences',
      'listTaskVersions',
      'listDocumentBulks',
    ]),
  },
];

/** The operations whose answers can be long. */
export const longOperations: readonly string[] = groups.flatMap(({ operations }) => [...operations]);

interface UnreadAnswer {
  party: string;
  bytes: number;
  response: ServerResponse;
}

interface UnreadLimits {
  /** Bytes of all long answers that clients have not read, in the process. */
  inAll: number;
  /** How long a client may read nothing, in milliseconds. */
  stallMs: number;
}

const unreadLimits: UnreadLimits = { inAll: 128 * 1024 * 1024, stallMs: 60_000 };

/**
 * The long answers that are being sent. Each stays in memory until its client has read it, and a client can open any number
 * of connections and read none. Beyond the limit, answers of the party that holds most are broken off, the oldest first:
 * a client that reads is soon done.
 */
function createUnreadAnswers({ inAll, stallMs }: UnreadLimits) {
  const unread = new Set<UnreadAnswer>();
  const held = new Map<string, number>();
  let total = 0;

  function forget(answer: UnreadAnswer): void {
    if (!unread.delete(answer)) return;
    total -= answer.bytes;
    const left = held.get(answer.party)! - answer.bytes;
    if (left > 0) held.set(answer.party, left);
    else held.delete(answer.party);
  }

  // A single answer is sent, however long it is.
  const isBeyond = (): boolean => total > inAll && unread.size > 1;

  function breakOff(): void {
    const [largest] = [...held].toSorted(([, one], [, other]) => other - one)[0]!;
    const oldest = [...unread].find(({ party }) => party === largest)!;
    forget(oldest);
    oldest.response.destroy();
  }

  return {
    /** Notes an answer that is about to be sent. */
    add(answer: UnreadAnswer): void {
      const { party, bytes, response } = answer;
      unread.add(answer);
      held.set(party, (held.get(party) ?? 0) + bytes);
      total += bytes;
      whenClosed(response, () => forget(answer));
      response.setTimeout(stallMs, () => response.destroy());
      while (isBeyond()) breakOff();
    },
  };
}

/** Checks and writes long answers between turns of other requests: the framework would do both at once. */
export const longAnswers = fastifyPlugin(
  async (app, { unread: limits = unreadLimits }: { unread?: UnreadLimits }) => {
    const pools = groups.map(({ operations, ...places }) => ({ operations, enter: createFairPlaces(places) }));
    const unread = createUnreadAnswers(limits);
    const leaving = new WeakMap<FastifyRequest, () => void>();
    app.addHook('preHandler', async (request, reply) => {
      const { operationId = '' } = (request.routeOptions.schema ?? {}) as { operationId?: string };
      const pool = pools.find(({ operations }) => operations.has(operationId));
      if (pool === undefined) return;
      const leave = await pool.enter(request.actor.organizationId);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && reply.raw.destroyed) {
        // The client has left while it waited: nothing is made.
        leave();
        return reply.hijack();
      }
      leaving.set(request, leave);
    });
    // The value is bytes by now: a slow reader keeps no place. A client that leaves earlier keeps it until then, since the work goes on.
    app.addHook('onSend', async (request) => leaving.get(request)?.());
    app.addHook('preSerialization', async (request, reply, payload) => {
      if (!isLongValue(payload)) return payload;
      if (reply.raw.destroyed) {
        reply.serializer(() => '');
        return payload;
      }
      const schema = answerSchema(request, reply.statusCode);
      const answer = schema === undefined ? payload : await encode(schema, payload);
      const json = Buffer.concat(await longJson(answer));
      unread.add({ party: partyOf(request), bytes: json.byteLength, response: reply.raw });
      // The bytes are sent as they are.
      reply.serializer((written: unknown) => written as string);
      return json;
    });
  },
  { name: 'long-answers' },
);

async function encode(schema: z.ZodType, payload: unknown): Promise<unknown> {
  try {
    return await inTurns(encodeSteps(schema, payload));
  } catch (error) {
    // The steps do not tell where in the whole it does not fit.
    const { error: cause } = z.safeEncode(schema, payload);
    if (cause === undefined) throw error;
    const misfit = new Error('The answer does not fit its schema.', { cause });
    return z.encode(schema, withoutMisfits(payload, misfit));
  }
}

function answerSchema({ routeOptions }: FastifyRequest, status: number): z.ZodType | undefined {
  const answers = (routeOptions.schema?.response ?? {}) as Record<string, unknown>;
  const found = answers[status] ?? answers[`${String(status)[0]}xx`] ?? answers['default'];
  const { content } = (found ?? {}) as { content?: Record<string, { schema: unknown }> };
  const schema = content === undefined ? found : content['application/json']?.schema;
  return schema instanceof z.ZodType ? schema : undefined;
}
