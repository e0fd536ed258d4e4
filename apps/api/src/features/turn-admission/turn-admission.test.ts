import { setTimeout } from 'node:timers/promises';
import type { TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultStreamLimits } from '../stream-admission/stream-admission.ts';
import { createTurnCounter } from './turn-rate-repository.ts';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench(
    {},
    {
      turnLimits: {
        turnsPerMinute: { user: 4, organization: 6 },
        runningTurns: { user: 2, organization: 3 },
      },
      streamLimits: { ...defaultStreamLimits, streams: { user: 1, organization: 10 } },
    },
  );
});
afterAll(async () => bench.stop());

const tooMany = { status: 429, error: { code: 'too_many_turns' } };

describe('the limits of turns', () => {
  it('limit the starts within a minute, for a user and for their organization', async () => {
    const user = await bench.addOrganization();
    const colleague = await bench.addUser('member', user.organizationId);
    const { chat } = await bench.documentOf(user);
    bench.script(
      { calls: [{ name: 'create_tag', args: { name: 'limited' } }] },
      ...Array.from({ length: 6 }, () => ({ text: 'Yes.' })),
    );
    const waiting = await user.post<TurnAnswer>(chat, userMessage('1'));
    const decided = await user.post(`${chat}/approve`, decideAll(waiting.body, true));
    expect(decided.status).toBe(200);
    for (const text of ['3', '4']) expect((await user.post(chat, userMessage(text))).status).toBe(200);
    expect(await user.post(chat, userMessage('5'))).toMatchObject(tooMany);
    // A repeated decision starts nothing, so that its client gets the answer after a restart.
    const repeated = await user.post(`${chat}/approve`, decideAll(waiting.body, true));
    expect([repeated.status, repeated.body]).toEqual([200, decided.body]);
    expect(await user.post(`${chat}/approve`, decideAll(waiting.body, false))).toMatchObject({ status: 409 });
    const refused = await user.request('POST', chat, { payload: userMessage('6') });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    for (const text of ['5', '6']) expect((await colleague.post(chat, userMessage(text))).status).toBe(200);
    expect(await colleague.post(chat, userMessage('7'))).toMatchObject(tooMany);
    expect((await bench.admin.post((await bench.documentOf(bench.admin)).chat, userMessage('Hello'))).status).toBe(200);
  });

  it('count turns started by other processes', async () => {
    const user = await bench.addOrganization();
    const { chat } = await bench.documentOf(user);
    const elsewhere = createTurnCounter(bench.connection);
    let left = await elsewhere(user);
    // The rest of the test must run within one minute.
    if (left.endsInSeconds < 5) await setTimeout(left.endsInSeconds * 1000);
    for (let turn = 0; turn < 4; turn += 1) left = await elsewhere(user);
    bench.script({ text: 'Yes.' });
    const refused = await user.request('POST', chat, { payload: userMessage('1') });
    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(left.endsInSeconds);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('limit running turns, and free the place when a turn ends or cannot start', async () => {
    const user = await bench.addOrganization();
    const { chat } = await bench.documentOf(user);
    expect((await user.post(chat, { ...userMessage('Hi'), thread_id: 'f'.repeat(24) })).status).toBe(404);
    const release = bench.pauseModel();
    bench.script({ text: 'One.' }, { text: 'Two.' });
    // Any two of the three get a place; the third is answered while the others run.
    const asked = ['1', '2', '3'].map(async (text) => user.post(chat, userMessage(text)));
    try {
      expect(await Promise.race(asked)).toMatchObject(tooMany);
    } finally {
      release();
    }
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 429]);
  });

  it('let a client repeat its decision and read its turn while all places are taken', async () => {
    const user = await bench.addOrganization();
    const { chat } = await bench.documentOf(user);
    bench.script({ calls: [{ name: 'create_tag', args: { name: 'repeated' } }] }, { text: 'Made.' });
    const waiting = await user.post<TurnAnswer>(chat, userMessage('1'));
    const decided = await user.post(`${chat}/approve`, decideAll(waiting.body, true));
    const release = bench.pauseModel();
    bench.script({ text: 'One.' }, { text: 'Two.' });
    const asked = ['1', '2', '3'].map(async (text) => user.post(chat, userMessage(text)));
    try {
      expect(await Promise.race(asked)).toMatchObject(tooMany);
      const repeated = await user.post(`${chat}/approve`, decideAll(waiting.body, true));
      expect([repeated.status, repeated.body]).toEqual([200, decided.body]);
      expect(await user.get(`${chat}/turns/${waiting.body.turn_id}`)).toMatchObject({
        status: 200,
        body: { status: 'completed' },
      });
    } finally {
      release();
    }
    await Promise.all(asked);
  });

  it('limit the open streams of one user', async () => {
    const user = await bench.addOrganization();
    const { chat } = await bench.documentOf(user);
    const release = bench.pauseModel();
    bench.script({ text: 'One.' });
    const url = bench.address + chat.replace(/^\.\//, `/v0/orgs/${user.organizationId}/`);
    const headers = { authorization: `Bearer ${user.accessToken}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ ...userMessage('Hi'), stream: true }) };
    const open = await fetch(url, init);
    const second = await fetch(url, init);
    expect(second.status).toBe(429);
    expect(await second.json()).toMatchObject({ error: { code: 'too_many_streams' } });
    release();
    await open.text();
    bench.script({ text: 'Two.' });
    expect((await fetch(url, init)).status).toBe(200);
  });
});
