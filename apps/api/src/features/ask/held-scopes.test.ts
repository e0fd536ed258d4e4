import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createHeldScopes } from './held-scopes.ts';

interface Scope {
  name: string;
  size: number;
}

function bench(sizes: Record<string, number> = {}) {
  const opened: string[] = [];
  const scopesOf = createHeldScopes<Scope>({ inAll: 2, ofOrganization: 1, sizeOf: ({ size }) => size, maxUnused: 100 });
  return {
    opened,
    scope: (organization: string, name: string, documents = name) =>
      scopesOf(organization, documents, async () => {
        opened.push(name);
        return { name, size: sizes[name] ?? 60 };
      }),
  };
}

it('few scopes are read at once, and one of an organization', async () => {
  const { scope } = bench();
  const running: string[] = [];
  const ended = new Map<string, () => void>();
  const start = (organization: string, name: string) =>
    scope(organization, name).hold(async () => {
      running.push(name);
      await new Promise<void>((resolve) => ended.set(name, resolve));
      running.splice(running.indexOf(name), 1);
    });
  const work = [start('one', 'a'), start('one', 'b'), start('other', 'c'), start('third', 'd')];
  await nextTurn();
  expect(running).toEqual(['a', 'c']);
  ended.get('c')!();
  await work[2];
  await nextTurn();
  expect(running).toEqual(['a', 'd']);
  ended.get('a')!();
  await work[0];
  await nextTurn();
  expect(running).toEqual(['d', 'b']);
  ended.get('b')!();
  ended.get('d')!();
  await Promise.all(work);
});

it('what is not used is kept while there is room, and read again after it was given up', async () => {
  const { scope, opened } = bench();
  const [one, other] = [scope('one', 'a'), scope('one', 'b')];
  const use = ({ hold, get }: typeof one) => hold(get);
  await use(one);
  await use(one);
  expect(opened).toEqual(['a']);
  await use(other);
  await use(other);
  expect(opened).toEqual(['a', 'b']);
  expect(await use(one)).toEqual({ name: 'a', size: 60 });
  expect(opened).toEqual(['a', 'b', 'a']);
});

it('work can hold its scope again, and a failure gives the place back', async () => {
  const { scope, opened } = bench({ a: 1_000 });
  const one = scope('one', 'a');
  const inner = one.hold(() => one.hold(async () => [await one.get(), await one.hold(one.get)]));
  expect(await inner).toHaveLength(2);
  expect(opened).toEqual(['a']);
  await expect(
    one.hold(async () => {
      throw new Error('It failed.');
    }),
  ).rejects.toThrow('It failed.');
  expect(await scope('one', 'b').hold(async () => 'next')).toBe('next');
});

it('turns share what was read of a scope after they began, within an organization', async () => {
  const { scope, opened } = bench();
  const [one, other, narrower] = [scope('one', 'a', 'all'), scope('one', 'b', 'all'), scope('one', 'c', 'some')];
  const elsewhere = scope('other', 'd', 'all');
  for (const { hold, get } of [one, other, narrower, elsewhere]) await hold(get);
  const later = scope('one', 'e', 'all');
  expect(await later.hold(later.get)).toMatchObject({ name: 'e' });
  expect(opened).toEqual(['a', 'c', 'd', 'e']);
});

it('a scope that could not be read is read again at its next use', async () => {
  let failures = 1;
  const scopesOf = createHeldScopes<string>({ inAll: 2, ofOrganization: 1, sizeOf: () => 1, maxUnused: 100 });
  const { hold, get } = scopesOf('one', 'a', async () => {
    if (failures-- > 0) throw new Error('The database did not answer.');
    return 'read';
  });
  await expect(hold(get)).rejects.toThrow('did not answer');
  expect(await hold(get)).toBe('read');
});

it('a question that is stopped while it waits gives up its turn and reads nothing', async () => {
  const { scope, opened } = bench();
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const running = scope('one', 'a').hold(async () => {
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  const stop = new AbortController();
  const stopped = scope('one', 'b');
  const waiting = stopped.hold(stopped.get, stop.signal);
  const next = scope('one', 'c');
  const last = next.hold(next.get);
  stop.abort(new Error('Stopped.'));
  await expect(waiting).rejects.toThrow('Stopped.');
  await expect(stopped.hold(stopped.get, stop.signal)).rejects.toThrow('Stopped.');
  end.resolve();
  await running;
  expect(await last).toMatchObject({ name: 'c' });
  expect(opened).toEqual(['c']);
  expect(await stopped.hold(stopped.get)).toMatchObject({ name: 'b' });
});

it('what a turn reads of its scope counts with the scope: it is given up when it has grown beyond the room', async () => {
  const opened: string[] = [];
  const scopesOf = createHeldScopes<Scope>({ inAll: 2, ofOrganization: 1, sizeOf: ({ size }) => size, maxUnused: 100 });
  const { hold, get } = scopesOf('one', 'a', async () => {
    opened.push('a');
    return { name: 'a', size: 60 };
  });
  await hold(get);
  await hold(async () => void ((await get()).size = 101));
  expect(opened).toEqual(['a']);
  await hold(get);
  expect(opened).toEqual(['a', 'a']);
});
