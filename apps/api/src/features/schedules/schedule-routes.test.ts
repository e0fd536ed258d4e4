import type { NextTimes, Run, Schedule, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

let app: TestApp;
let admin: TestClient;
let member: TestClient;
let viewer: TestClient;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  admin = await app.addOrganization();
  member = await app.addUser('member', admin.organizationId);
  viewer = await app.addUser('viewer', admin.organizationId);
});

const nightly = { name: 'Nightly', cron: '0 3 * * *', timezone: 'Europe/Berlin', action: 'run_extraction' };
async function create(client: TestClient, body: object = {}): Promise<Schedule> {
  const created = await client.post<Schedule>('./schedules', { ...nightly, ...body });
  expect(created.error).toBeUndefined();
  return created.body;
}

describe('a schedule', () => {
  it('is created, listed, read, changed and deleted', async () => {
    const created = await admin.post<Schedule>('./schedules', nightly);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ...nightly, enabled: true, filter: {}, created_by: admin.userId });
    const { id, next_due_at } = created.body;
    expect(
      new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(
        new Date(next_due_at!),
      ),
    ).toBe('03:00');

    const listed = await viewer.get<{ schedules: Schedule[] }>('./schedules?name_search=night');
    expect(listed.body).toMatchObject({ schedules: [created.body], total_count: 1, skip: 0, limit: 10 });

    const changed = await admin.patch<Schedule>(`./schedules/${id}`, { every: '15m', name: 'Often', max_documents: 5 });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ id, name: 'Often', every: '15m', max_documents: 5 });
    expect(changed.body).not.toHaveProperty('cron');
    const minutes = (Date.parse(changed.body.next_due_at!) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15);

    const renamed = await admin.patch<Schedule>(`./schedules/${id}`, { name: 'Rarely', max_documents: null });
    expect(renamed.body.next_due_at).toBe(changed.body.next_due_at);
    expect(renamed.body).not.toHaveProperty('max_documents');
    const off = await admin.patch<Schedule>(`./schedules/${id}`, { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, next_due_at: null });

    expect((await admin.delete(`./schedules/${id}`)).status).toBe(204);
    expect((await admin.get(`./schedules/${id}`)).status).toBe(404);
  });

  it('is changed by its creator and admins, read by all members, and unknown to other organizations', async () => {
    const { id } = await create(admin);
    const { id: own } = await create(member);
    expect((await member.patch(`./schedules/${id}`, { name: 'x' })).error?.code).toBe('not_yours');
    expect((await member.post(`./schedules/${id}/run`)).error?.code).toBe('not_yours');
    expect((await member.delete(`./schedules/${id}`)).status).toBe(403);
    expect((await member.patch(`./schedules/${own}`, { name: 'mine' })).status).toBe(200);
    expect((await admin.patch(`./schedules/${own}`, { name: 'ours' })).status).toBe(200);
    expect((await viewer.post('./schedules', nightly)).error?.code).toBe('viewer_cannot_write');
    expect((await viewer.post(`./schedules/${own}/run`)).status).toBe(403);
    expect((await viewer.get(`./schedules/${own}/runs`)).status).toBe(200);
    const stranger = await app.addOrganization();
    for (const path of [`./schedules/${own}`, `./schedules/${own}/runs`, './schedules/nonsense']) {
      expect((await stranger.get(path)).status).toBe(404);
    }
    expect((await stranger.patch(`./schedules/${own}`, { name: 'x' })).status).toBe(404);
  });

  const id = 'f'.repeat(24);
  it.each([
    ['neither cron nor every', { cron: undefined }, 400, 'invalid_schedule'],
    ['both', { every: '1h' }, 400, 'invalid_schedule'],
    ['cron that is none', { cron: '0 25 * * *' }, 400, 'invalid_cron'],
    ['cron with seconds', { cron: '* * * * * *' }, 400, 'invalid_cron'],
    ['every below a minute', { cron: undefined, every: '30s' }, 400, 'invalid_every'],
    ['a time zone that is none', { timezone: 'Berlin' }, 400, 'invalid_timezone'],
    ['an unknown tag', { filter: { tag_ids: [id] } }, 400, 'unknown_reference'],
    ['an unknown prompt', { prompt_id: id }, 400, 'unknown_reference'],
    ['a prompt for auto_create', { action: 'auto_create', prompt_id: id }, 400, 'invalid_schedule'],
    ['a message for an extraction', { message: 'x' }, 400, 'invalid_schedule'],
    ['no documents', { max_documents: 0 }, 422, 'invalid_request'],
    ['a misspelled filter', { filter: { tags: [id] } }, 422, 'invalid_request'],
    ['an unknown action', { action: 'dance' }, 422, 'invalid_request'],
  ])('is rejected with %s', async (_, body, status, code) => {
    const answer = await admin.post('./schedules', { ...nightly, ...body });
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
  });

  it.each([
    ['both', { cron: '0 3 * * *', every: '1h' }, 'invalid_schedule'],
    ['cron that is none', { cron: '0 25 * * *' }, 'invalid_cron'],
    ['every below a minute', { every: '30s' }, 'invalid_every'],
    ['an unknown tag', { filter: { tag_ids: [id] } }, 'unknown_reference'],
    ['what does not go together', { action: 'auto_create', prompt_id: id }, 'invalid_schedule'],
  ])('is not changed to %s', async (_, body, code) => {
    const schedule = await create(admin);
    const answer = await admin.patch(`./schedules/${schedule.id}`, body);
    expect([answer.status, answer.error?.code]).toEqual([400, code]);
    expect((await admin.get(`./schedules/${schedule.id}`)).body).toEqual(schedule);
  });
});

describe('the next times', () => {
  it('are previewed in the time zone without a schedule, for all members', async () => {
    const asked = await viewer.post<NextTimes>('./schedules/next_times', {
      cron: '30 7 * * 1-5',
      timezone: 'Asia/Tokyo',
    });
    expect(asked.status).toBe(200);
    const inTokyo = new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Asia/Tokyo',
    });
    const written = asked.body.times.map((time) => inTokyo.format(new Date(time)));
    expect(written).toHaveLength(3);
    for (const time of written) expect(time).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? 07:30$/u);
    expect(new Set(asked.body.times).size).toBe(3);

    const { body } = await viewer.post<NextTimes>('./schedules/next_times', { every: '6h' });
    const [first, second] = body.times.map((time) => Date.parse(time));
    expect(second! - first!).toBe(6 * 3_600_000);
  });

  it.each([
    ['neither', {}, 'invalid_schedule'],
    ['no cron', { cron: 'x' }, 'invalid_cron'],
    ['no time zone', { cron: '0 3 * * *', timezone: 'Berlin' }, 'invalid_timezone'],
  ])('are rejected for %s', async (_, body, code) => {
    const answer = await admin.post('./schedules/next_times', body);
    expect([answer.status, answer.error?.code]).toEqual([400, code]);
  });
});

it('a schedule whose creator has left belongs to the admin who changes it', async () => {
  const { id } = await create(member);
  expect((await admin.patch<Schedule>(`./schedules/${id}`, { name: 'Still theirs' })).body.created_by).toBe(
    member.userId,
  );
  await admin.delete(`./members/${member.userId}`);
  const other = await app.addUser('member', admin.organizationId);
  expect((await other.patch(`./schedules/${id}`, { name: 'Mine' })).status).toBe(403);
  const taken = await admin.patch<Schedule>(`./schedules/${id}`, { enabled: true });
  expect(taken.body).toMatchObject({ name: 'Still theirs', created_by: admin.userId });
});

describe('run now', () => {
  it('starts a run in the name of the caller, one at a time', async () => {
    const { body: tag } = await admin.post<Tag>('./tags', { name: 'invoices' });
    const { id } = await create(member, { enabled: false, filter: { tag_ids: [tag.tag_id] } });
    const begun = await admin.post<Run>(`./schedules/${id}/run`);
    expect(begun.status).toBe(202);
    expect(begun.body).toMatchObject({
      schedule_id: id,
      trigger: 'manual',
      action: 'run_extraction',
      state: 'queued',
      due_at: null,
      requested_by: admin.userId,
    });
    const again = await admin.post(`./schedules/${id}/run`);
    expect([again.status, again.error?.code]).toEqual([409, 'run_going']);
    expect((await member.post(`./runs/${begun.body.id}/stop`)).status).toBe(200);
    await app.services.runWork.work(new AbortController().signal);
    const { body } = await viewer.get<{ runs: Run[] }>(`./schedules/${id}/runs`);
    expect(body.runs).toMatchObject([{ id: begun.body.id, state: 'stopped', matched: 0 }]);
    expect((await admin.post(`./schedules/${id}/run`)).status).toBe(202);
  });
});
