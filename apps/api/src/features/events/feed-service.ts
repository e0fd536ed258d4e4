import { setTimeout as delay } from 'node:timers/promises';
import {
  DomainError,
  type EventFeed,
  type EventQuery,
  type EventType,
  type OrganizationEvent,
} from '@docwright/contract';
import { createFairPlaces } from '../../platform/places/fair-places.ts';
import { pollInTurn } from '../../platform/places/polls.ts';
import type { EventLog, EventRecord } from '../event-log/index.ts';
import type { Actor } from '../identity/index.ts';
import type { Announcements } from './announcement-repository.ts';

type Filter = Pick<EventQuery, 'types' | 'tag_ids' | 'prompt_id'>;

/** Reads the event log. */
export type EventReader = ReturnType<typeof createEventReader>;

/** The feed of an organization, with the rights of one user. */
export type EventFeedService = ReturnType<ReturnType<typeof createEventFeed>>;

const batchSize = 500;
/** So many events are looked at for one answer; `next_after` passes them. */
const maxScanned = 20_000;
const pollMs = 250;
const maxResultBytes = 256 * 1024;
/** An answer with results ends after so many; the next one goes on there. */
const maxAnswerBytes = 1024 * 1024;

export function createEventReader(log: EventLog, announcements: Announcements) {
  async function select(organizationId: string, records: EventRecord[], { types, tag_ids, prompt_id }: Filter) {
    const chosen = records.filter(
      (record) =>
        (types === undefined || types.length === 0 || types.includes(record.type)) &&
        (prompt_id === undefined || record.prompt_id === prompt_id),
    );
    if (tag_ids === undefined || tag_ids.length === 0) return chosen;
    const ids = [...new Set(chosen.flatMap(({ document_id }) => document_id ?? []))];
    const tagged = await announcements.withTags(organizationId, ids, tag_ids);
    return chosen.filter(({ document_id }) => document_id !== undefined && tagged.has(document_id));
  }

  return {
    /** The events after a number that a filter selects, and the last number that was looked at. */
    async read(
      organizationId: string,
      after: number,
      limit: number,
      filter: Filter,
    ): Promise<{ records: EventRecord[]; reached: number }> {
      const records: EventRecord[] = [];
      let reached = after;
      for (let scanned = 0; records.length < limit && scanned < maxScanned; scanned += batchSize) {
        const batch = await log.list(organizationId, reached, batchSize);
        const room = limit - records.length;
        const chosen = await select(organizationId, batch, filter);
        records.push(...chosen.slice(0, room));
        if (chosen.length > room) return { records, reached: records.at(-1)!.seq };
        reached = batch.at(-1)?.seq ?? reached;
        if (batch.length < batchSize) break;
      }
      return { records, reached };
    },
    /** The event as the API shows it; with its result if that is asked for. */
    async present(
      { seq, id, type, at, organization_id, data }: EventRecord,
      withResult: boolean,
    ): Promise<OrganizationEvent> {
      const organizationId = organization_id.toHexString();
      return {
        seq,
        id,
        type,
        timestamp: at.toISOString(),
        organization_id: organizationId,
        data: withResult ? { ...data, ...(await resultIn(organizationId, type, data)) } : data,
      };
    },
  };

  /** As it is now: a delivery can be tried hours after its event, when the values do not count any more. */
  async function resultIn(
    organizationId: string,
    type: EventType,
    data: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    // It tells that values do not count any more.
    if (type === 'result.withdrawn') return {};
    const { document_id, prompt_revid, version } = data;
    if (typeof document_id !== 'string' || typeof prompt_revid !== 'string' || typeof version !== 'number') return {};
    const found = await announcements.resultOf(
      organizationId,
      { document_id, prompt_revid, version },
      type === 'result.released',
    );
    if (found === undefined) return {};
    const { result, version: shown } = found;
    const url = `/v0/orgs/${organizationId}/documents/${document_id}/extractions/${prompt_revid}/versions/${shown}`;
    const isLarge = Buffer.byteLength(JSON.stringify(result)) > maxResultBytes;
    return { ...(isLarge ? { result_url: url } : { result }), ...(shown !== version && { result_version: shown }) };
  }
}

export function createEventFeed(log: EventLog, reader: EventReader) {
  const enter = createFairPlaces({ inAll: 6, ofParty: 2 });

  /** The first events, as many as an answer has room for. */
  async function present(records: readonly EventRecord[], withResult: boolean): Promise<OrganizationEvent[]> {
    const [first] = records;
    if (first === undefined) return [];
    const leave = withResult ? await enter(first.organization_id.toHexString()) : undefined;
    try {
      const events: OrganizationEvent[] = [];
      let bytes = 0;
      for (const record of records) {
        if (bytes > maxAnswerBytes) break;
        const event = await reader.present(record, withResult);
        events.push(event);
        if (withResult) bytes += Buffer.byteLength(JSON.stringify(event.data));
      }
      return events;
    } finally {
      leave?.();
    }
  }

  return ({ organizationId }: Actor) => ({
    /** @throws DomainError `events_gone` if events after `after` were deleted */
    async feed({ after, limit, wait, include, ...filter }: EventQuery, signal: AbortSignal): Promise<EventFeed> {
      const { oldest } = await log.range(organizationId);
      if (after !== undefined && after < oldest - 1) {
        throw new DomainError(
          'gone',
          'events_gone',
          `Events after ${after} are older than 30 days and were deleted. Continue with after=${oldest - 1}, and compare the results that you hold.`,
          { oldest },
        );
      }
      const until = Date.now() + wait * 1_000;
      let reached = after ?? oldest - 1;
      for (let isFirst = true; ; isFirst = false) {
        const from = reached;
        const read = async () => reader.read(organizationId, from, limit, filter);
        const found = isFirst ? await read() : await pollInTurn({ organizationId }, read);
        reached = found.reached;
        if (found.records.length > 0 || Date.now() >= until || signal.aborted) {
          const events = await present(found.records, include === 'result');
          const shown = events.length < found.records.length ? events.at(-1)!.seq : reached;
          return { events, next_after: shown, oldest };
        }
        // Other processes append as well.
        await delay(Math.min(pollMs, Math.max(1, until - Date.now())));
      }
    },
  });
}
