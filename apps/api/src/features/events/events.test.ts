import type { EventFeed, Extraction, Prompt } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { eventLogModel } from '../event-log/event-log-model.ts';
import { createEventLog, outboxEvent, type NewEvent } from '../event-log/event-log-repository.ts';
import { createAnnouncements } from './announcement-repository.ts';

let bench: EvaluationTestBench;
let client: TestClient;
let prompt: Prompt;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());
beforeEach(async () => {
  client = await bench.addOrganization();
  prompt = await createInvoicePrompt(client);
  bench.answer(() => ({ number: 'A', total: 1, lines: [] }));
});

const signal = () => new AbortController().signal;
const publish = async () => {
  await bench.services.relayOutboxes(signal());
  await bench.services.announcements.work(signal());
  await bench.services.releaseUpdater.work(signal());
};
const feed = async (query = '') => (await client.get<EventFeed>(`./events?${query}`)).body;
const event = (data: Record<string, unknown> = {}): NewEvent => ({ ...outboxEvent('run.completed'), data });

async function extracted(): Promise<string> {
  const content = Buffer.from('value 1').toString('base64');
  const { body } = await client.post<{ documents: { id: string }[] }>('./documents', {
    documents: [{ name: 'a.txt', content }],
  });
  await bench.services.documents.textReading.readAll(signal());
  const { id } = body.documents[0]!;
  await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
  return id;
}

describe('the feed', () => {
  it('tells of documents, extractions and releases, with thin data', async () => {
    const id = await extracted();
    const url = `./documents/${id}/extractions/${prompt.prompt_revid}`;
    await client.post(`${url}/release`, { version: 1 });
    await publish();
    const { events, next_after, oldest } = await feed();
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'document.created',
      'document.ready',
      'extraction.completed',
      'result.released',
    ]);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect([next_after, oldest]).toEqual([4, 1]);
    expect(events.find(({ type }) => type === 'extraction.completed')).toEqual({
      seq: expect.any(Number),
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'extraction.completed',
      timestamp: expect.stringMatching(/Z$/),
      organization_id: client.organizationId,
      data: {
        document_id: id,
        document_name: 'a.txt',
        prompt_id: prompt.prompt_id,
        prompt_revid: prompt.prompt_revid,
        version: 1,
        is_complete: true,
      },
    });
    const withResult = await feed('types=result.released&include=result');
    expect(withResult.events.map(({ data }) => data['result'])).toEqual([{ number: 'A', total: 1, lines: [] }]);
    expect(withResult.next_after).toBe(4);
  });

  it('gives numbers with every digit', async () => {
    const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => number };
    bench.answer(() => ({ number: 'A', total: rawJSON('12345678901234567891'), lines: [] }));
    await extracted();
    await publish();
    const { events } = await feed('types=extraction.completed&include=result');
    expect(events[0]!.data['result']).toEqual({ number: 'A', total: '12345678901234567891', lines: [] });
  });

  it('shows no values of what has been withdrawn, or is in the trash, since it was told', async () => {
    const [edited, trashed] = [await extracted(), await extracted()];
    const urlOf = (id: string) => `./documents/${id}/extractions/${prompt.prompt_revid}`;
    for (const id of [edited, trashed]) await client.post(`${urlOf(id)}/release`, { version: 1 });
    await publish();
    const results = async () => {
      const { events } = await feed('types=extraction.completed,result.released&include=result');
      const shown = events.filter(({ data }) => data['result'] !== undefined);
      return shown
        .map(({ type, data }) => `${type} ${data['document_id'] === edited ? 'edited' : 'trashed'}`)
        .toSorted();
    };
    const before = await results();
    expect(before).toHaveLength(4);
    await client.patch(urlOf(edited), { path: 'total', value: 2, base_version: 1 });
    await client.delete(`./documents/${trashed}`);
    expect(await results()).toEqual(['extraction.completed edited']);
  });

  it('tells a withdrawal without values, and a run with the values of now, none once they are withdrawn', async () => {
    const [edited, wrong] = [await extracted(), await extracted()];
    const urlOf = (id: string) => `./documents/${id}/extractions/${prompt.prompt_revid}`;
    await client.patch(urlOf(edited), { path: 'total', value: 2, base_version: 1 });
    await client.patch(urlOf(edited), { path: 'total', value: 3, base_version: 2 });
    await client.post(`${urlOf(wrong)}/release`, { version: 1 });
    await client.delete(`./documents/${wrong}`);
    await client.post(`./documents/${wrong}/restore`);
    await publish();
    const { events } = await feed('types=extraction.completed,result.withdrawn&include=result');
    const shown = events.map(({ type, data }) => {
      const { document_id, version, result, result_version } = data;
      return [
        type,
        document_id === edited ? 'edited' : 'wrong',
        version,
        (result as { total?: number })?.total,
        result_version,
      ];
    });
    expect(shown.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
      ['extraction.completed', 'edited', 1, 3, 3],
      ['extraction.completed', 'wrong', 1, undefined, undefined],
      ['result.withdrawn', 'wrong', 1, undefined, undefined],
    ]);
  });

  it('names the address of a result that is larger than 256 kB', async () => {
    const number = 'x'.repeat(262_144);
    bench.answer(() => ({ number, total: 1, lines: [] }));
    await extracted();
    await publish();
    const { events } = await feed('types=extraction.completed&include=result');
    expect(events[0]!.data).not.toHaveProperty('result');
    const { body } = await client.get<Extraction>(events[0]!.data['result_url'] as string);
    expect(body.result).toMatchObject({ number });
  });

  it('answers about a megabyte of results at once, and goes on where it ended', async () => {
    const number = 'x'.repeat(200_000);
    bench.answer(() => ({ number, total: 1, lines: [] }));
    for (let document = 0; document < 8; document += 1) await extracted();
    await publish();
    const seen: number[] = [];
    for (let after = 0, answers = 0; seen.length < 8 && answers < 8; answers += 1) {
      const { events, next_after } = await feed(`types=extraction.completed&include=result&after=${after}`);
      expect(JSON.stringify(events).length).toBeLessThan(1_500_000);
      seen.push(...events.map(({ seq }) => seq));
      after = next_after;
    }
    expect(new Set(seen).size).toBe(8);
    expect((await feed('types=extraction.completed')).events).toHaveLength(8);
  });

  it('has every run of an extraction, also two before the log was updated, and no edit', async () => {
    const id = await extracted();
    const url = `./documents/${id}/extractions/${prompt.prompt_revid}`;
    await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
    await client.patch(url, { path: 'total', value: 2, base_version: 2 });
    await publish();
    await publish();
    const { events } = await feed('types=extraction.completed');
    expect(events.map(({ data }) => data['version'])).toEqual([1, 2]);
  });

  it('filters by type, tag and prompt, and passes what a filter leaves out', async () => {
    await extracted();
    await publish();
    expect((await feed(`prompt_id=${prompt.prompt_id}`)).events).toHaveLength(1);
    const none = await feed('types=source.failing');
    expect([none.events, none.next_after]).toEqual([[], 3]);
    const tag = (await client.post<{ tag_id: string }>('./tags', { name: 'T' })).body.tag_id;
    expect((await feed(`tag_ids=${tag}`)).events).toEqual([]);
    expect((await feed('limit=2')).next_after).toBe(2);
  });

  it('holds a request open until there is an event', async () => {
    const waiting = feed('wait=10');
    setTimeout(() => void bench.services.eventLog.append(client.organizationId, [event()]), 200);
    expect((await waiting).events).toHaveLength(1);
    expect((await feed('after=1&wait=0.3')).events).toEqual([]);
  });

  it('answers 410 if events were deleted, and belongs to one organization', async () => {
    const log = bench.services.eventLog;
    await log.append(client.organizationId, [event(), event(), event()]);
    const model = eventLogModel(bench.connection);
    await model.updateMany({ seq: { $lte: 2 } }, { $set: { stored_at: new Date(Date.now() - 31 * 86_400_000) } });
    await log.sweep();
    expect(await feed()).toMatchObject({ oldest: 3, next_after: 3 });
    expect(await client.get('./events?after=1')).toMatchObject({ status: 410, error: { code: 'events_gone' } });
    expect((await feed('after=2')).events).toHaveLength(1);
    const stranger = await bench.addOrganization();
    expect((await stranger.get(`/v0/orgs/${client.organizationId}/events`)).status).toBe(404);
    expect((await stranger.get<EventFeed>('./events')).body).toEqual({ events: [], next_after: 0, oldest: 1 });
  });

  it('keeps its numbers when every event was deleted', async () => {
    const log = bench.services.eventLog;
    await log.append(client.organizationId, [event({ document_name: 'x' }), event()]);
    await eventLogModel(bench.connection).updateMany({}, { $set: { stored_at: new Date(0) } });
    await log.sweep();
    expect(await feed()).toEqual({ events: [], next_after: 2, oldest: 3 });
    await log.append(client.organizationId, [event()]);
    expect((await feed('after=2')).events.map(({ seq }) => seq)).toEqual([3]);
  });
});

describe('the log', () => {
  it('is dense and in order of visibility with 20 writers in 4 processes, and a reader that polls skips nothing', async () => {
    // Each has its own queue, as in a process of its own.
    const logs = Array.from({ length: 4 }, () => createEventLog(bench.connection));
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let at = 0; at < 5; at += 1) await logs[writer % 4]!.append(client.organizationId, [event({ writer, at })]);
    });
    const seen: number[] = [];
    let isDone = false;
    const reader = (async () => {
      for (let after = 0; ;) {
        const wasDone = isDone;
        const records = await logs[0]!.list(client.organizationId, after, 7);
        seen.push(...records.map(({ seq }) => seq));
        after = records.at(-1)?.seq ?? after;
        if (records.length === 0 && wasDone) return;
      }
    })();
    await Promise.all(writers);
    isDone = true;
    await reader;
    expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  it('has an event once if its writer died after the append, and has it at all if it died before', async () => {
    await extracted();
    const log = { error: vi.fn<() => void>() };
    const dying = createAnnouncements(bench.connection, { append: () => Promise.reject(new Error('killed')) }, log);
    await dying.work(signal());
    expect(log.error).toHaveBeenCalledOnce();
    const appendOnly = {
      async append(organizationId: string, events: Parameters<typeof bench.services.eventLog.append>[1]) {
        await bench.services.eventLog.append(organizationId, events);
        throw new Error('killed');
      },
    };
    await createAnnouncements(bench.connection, appendOnly, log).work(signal());
    expect(log.error).toHaveBeenCalledTimes(2);
    await publish();
    await publish();
    expect((await feed('types=extraction.completed')).events).toHaveLength(1);
  });
});
