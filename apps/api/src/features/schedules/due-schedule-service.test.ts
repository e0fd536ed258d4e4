import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../../process/migrations/migrate.ts';
import { createRunRepositories } from '../runs/run-repository.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createDueScheduleRepository } from './due-schedule-repository.ts';
import { createDueScheduleService } from './due-schedule-service.ts';
import { createScheduleRepositories } from './schedule-repository.ts';

let connection: Connection;
let organizationId: string;
const signal = new AbortController().signal;
const wake = async () => undefined;
const log = { error: vi.fn<() => void>() };
const at = (time: string) => new Date(`2026-05-01T${time}Z`);

beforeAll(async () => {
  connection = await connectTestDatabase();
  createRunRepositories(connection);
  createScheduleRepositories(connection);
  await migrate(connection, []);
});
afterAll(() => connection.close());
beforeEach(async () => {
  organizationId = new mongoose.Types.ObjectId().toHexString();
  await connection.collection('schedules').deleteMany({});
});

/** One worker whose clock says `now`. */
function worker(now: Date, repository = createDueScheduleRepository(connection)) {
  return createDueScheduleService({
    due: repository,
    runsOf: createRunRepositories(connection),
    now: () => now,
    wake,
    log,
  });
}

async function addSchedule(cron: string, nextDueAt: Date): Promise<string> {
  const schedule = await createScheduleRepositories(connection)(organizationId).insert({
    name: 'Nightly',
    cron,
    every: null,
    timezone: 'UTC',
    anchor_at: nextDueAt,
    action: 'run_extraction',
    filter: {},
    prompt_id: null,
    message: null,
    max_documents: null,
    enabled: true,
    next_due_at: nextDueAt,
    created_at: nextDueAt,
    created_by: new mongoose.Types.ObjectId().toHexString(),
    role: 'member',
  });
  return schedule.id;
}

async function runs(schedule_id: string) {
  const listed = await createRunRepositories(connection)(organizationId).list({ schedule_id, skip: 0, limit: 50 });
  return listed.runs.map(({ state, due_at }) => `${due_at?.toISOString().slice(11, 16)} ${state}`).toReversed();
}
const nextDue = async (id: string) =>
  (await createScheduleRepositories(connection)(organizationId).get(id))?.next_due_at?.toISOString().slice(11, 16);
const endRuns = () =>
  connection.collection('runs').updateMany({ active: true }, { $set: { state: 'completed' }, $unset: { active: 1 } });

test('ten concurrent workers start one run for a due time', async () => {
  const id = await addSchedule('*/10 * * * *', at('10:00:00'));
  await Promise.all(Array.from({ length: 10 }, () => worker(at('10:00:01')).startDue(signal)));
  expect(await runs(id)).toEqual(['10:00 queued']);
  expect(await nextDue(id)).toBe('10:10');
});

test('times missed while no worker ran count as one', async () => {
  const id = await addSchedule('*/10 * * * *', at('02:00:00'));
  await worker(at('10:03:00')).startDue(signal);
  expect(await runs(id)).toEqual(['02:00 queued']);
  expect(await nextDue(id)).toBe('10:10');
});

test('a due time is skipped while the previous run is active', async () => {
  const id = await addSchedule('*/10 * * * *', at('10:00:00'));
  await worker(at('10:00:01')).startDue(signal);
  await worker(at('10:10:01')).startDue(signal);
  await endRuns();
  await worker(at('10:20:01')).startDue(signal);
  expect(await runs(id)).toEqual(['10:00 completed', '10:10 skipped', '10:20 queued']);
});

test('all times that one run blocks share one record, with any number of workers', async () => {
  const id = await addSchedule('* * * * *', at('10:00:00'));
  for (let minute = 0; minute < 6; minute += 1) {
    const now = at(`10:0${minute}:01`);
    await Promise.all([worker(now).startDue(signal), worker(now).startDue(signal)]);
  }
  await endRuns();
  await worker(at('10:06:01')).startDue(signal);
  await worker(at('10:07:01')).startDue(signal);
  expect(await runs(id)).toEqual(['10:00 completed', '10:01 skipped', '10:06 queued', '10:07 skipped']);
  const { runs: listed } = await createRunRepositories(connection)(organizationId).list({
    schedule_id: id,
    state: 'skipped',
    skip: 0,
    limit: 10,
  });
  expect(listed.map(({ skipped_times, last_due_at }) => [skipped_times, last_due_at])).toEqual([
    [1, at('10:07:00')],
    [5, at('10:05:00')],
  ]);
});

test('no run is lost or repeated if a worker dies before it sets the next due time', async () => {
  const id = await addSchedule('*/10 * * * *', at('10:00:00'));
  const repository = createDueScheduleRepository(connection);
  const dies = { ...repository, setNextDue: async () => Promise.reject(new Error('the process died')) };
  await expect(worker(at('10:00:01'), dies).startDue(signal)).rejects.toThrow('died');
  await endRuns();
  await worker(at('10:00:05')).startDue(signal);
  expect(await runs(id)).toEqual(['10:00 completed']);
  expect(await nextDue(id)).toBe('10:10');
});

test('a clock that jumps ahead and back repeats and loses no time', async () => {
  const id = await addSchedule('0 * * * *', at('10:00:00'));
  await worker(at('10:00:01')).startDue(signal);
  await endRuns();
  // Half a day ahead, then back.
  await worker(at('22:30:00')).startDue(signal);
  await endRuns();
  expect(await nextDue(id)).toBe('23:00');
  const right = worker(at('10:20:00'));
  await right.correctDueTimes();
  await right.startDue(signal);
  expect(await nextDue(id)).toBe('11:00');
  await worker(at('11:00:01')).startDue(signal);
  await endRuns();
  await worker(at('12:00:01')).startDue(signal);
  await endRuns();
  // 11:00 had its run while the clock was ahead: no second one starts.
  expect(await runs(id)).toEqual(['10:00 completed', '11:00 completed', '12:00 completed']);
});

test('a due time that is no date becomes the next one', async () => {
  const id = await addSchedule('0 * * * *', at('10:00:00'));
  const change = { $set: { next_due_at: 'damaged' } };
  await connection.collection('schedules').updateOne({ _id: new mongoose.Types.ObjectId(id) }, change);
  await worker(at('10:20:00')).correctDueTimes();
  expect(await nextDue(id)).toBe('11:00');
  expect(await runs(id)).toEqual([]);
});

test('an invalid schedule does not block the others', async () => {
  const broken = await addSchedule('* * * * *', at('09:00:00'));
  await connection
    .collection('schedules')
    .updateOne({ _id: new mongoose.Types.ObjectId(broken) }, { $set: { timezone: 'Gone/Away' } });
  const id = await addSchedule('*/10 * * * *', at('10:00:00'));
  await worker(at('10:00:01')).startDue(signal);
  expect(await runs(id)).toEqual(['10:00 queued']);
  expect(await nextDue(broken)).toBeUndefined();
});

test.each([{ role: 5 }, { created_by: 'nobody' }, { max_documents: 'many' }])(
  'a schedule whose run cannot be stored does not block the later ones, and keeps its time: %j',
  async (fields) => {
    const [broken, sound] = [
      await addSchedule('0 * * * *', at('10:00:00')),
      await addSchedule('0 * * * *', at('10:00:01')),
    ];
    const change = fields.role === undefined ? { $set: fields } : { $unset: { role: 1 } };
    await connection.collection('schedules').updateOne({ _id: new mongoose.Types.ObjectId(broken) }, change);
    const one = worker(at('10:00:02'));
    await one.startDue(signal);
    await one.correctDueTimes();
    expect([await runs(sound), await runs(broken)]).toEqual([['10:00 queued'], []]);
    expect(await nextDue(broken)).toBe('10:00');
  },
);
