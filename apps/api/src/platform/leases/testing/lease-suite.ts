import { describe, expect, it } from 'vitest';

/** One use of a lease, on a record that nobody holds yet. */
export interface LeaseUse<Claimed> {
  /** Claims the record; undefined while somebody else holds it. */
  claim(): Promise<Claimed | undefined>;
  /** False where the lease is lost. */
  renew(claimed: Claimed): Promise<boolean>;
  /** A write of the holder; false where it changed nothing. */
  write(claimed: Claimed): Promise<boolean>;
  release(claimed: Claimed): Promise<void>;
  /** Lets the lease expire, as it does when the machine of its holder is gone. */
  readonly expire: () => Promise<void>;
}

/** What every use of a lease promises. `open` gives a use on a new record, for each test its own. */
export function describeLease<Claimed>(name: string, open: () => Promise<LeaseUse<Claimed>>): void {
  describe(`the lease of ${name}`, () => {
    it('has one holder of all who claim it at the same time', async () => {
      const use = await open();
      const claims = await Promise.all(Array.from({ length: 8 }, () => use.claim()));
      expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
      expect(await use.claim()).toBeUndefined();
    });

    it('is renewed and written by its holder', async () => {
      const use = await open();
      const claimed = await claimOf(use);
      expect(await use.renew(claimed)).toBe(true);
      expect(await use.write(claimed)).toBe(true);
      expect(await use.claim()).toBeUndefined();
    });

    it('is free again when its holder releases it', async () => {
      const use = await open();
      await use.release(await claimOf(use));
      expect(await use.claim()).toBeDefined();
    });

    it('goes to another when it expires, and the former holder neither renews, writes nor releases it', async () => {
      const use = await open();
      const former = await claimOf(use);
      await use.expire();
      const next = await claimOf(use);
      expect(await use.renew(former)).toBe(false);
      expect(await use.write(former)).toBe(false);
      await use.release(former);
      expect(await use.claim()).toBeUndefined();
      expect(await use.write(next)).toBe(true);
    });

    it('stays with a holder that renews it late, as long as nobody else has claimed it', async () => {
      const use = await open();
      const claimed = await claimOf(use);
      await use.expire();
      expect(await use.renew(claimed)).toBe(true);
      expect(await use.claim()).toBeUndefined();
    });
  });
}

/** The same of a lease that names its holder's process. `killHolder` makes that a process of this machine which is gone. */
export function describeLeaseOfProcess<Claimed>(
  name: string,
  open: () => Promise<LeaseUse<Claimed> & { killHolder(): Promise<void> }>,
): void {
  describeLease(name, open);
  it(`the lease of ${name} goes to another at once when its holder is killed`, async () => {
    const use = await open();
    const former = await claimOf(use);
    expect(await use.claim()).toBeUndefined();
    await use.killHolder();
    const next = await claimOf(use);
    expect(await use.renew(former)).toBe(false);
    expect(await use.write(former)).toBe(false);
    expect(await use.write(next)).toBe(true);
  });
}

/** One use of a lease that several holders share, on a record that nobody holds yet. */
interface SharedLeaseUse {
  join(): Promise<string>;
  /** False where the lease was ended. */
  renew(token: string): Promise<boolean>;
  leave(token: string): Promise<void>;
  /** How many holders the record has. */
  holders(): Promise<number>;
  readonly expire: () => Promise<void>;
  /** Ends what has expired; how many records. */
  end(): Promise<number>;
}

/** What every use of a shared lease promises. */
export function describeSharedLease(name: string, open: () => Promise<SharedLeaseUse>): void {
  describe(`the shared lease of ${name}`, () => {
    it('is held by all who join at the same time, and each of them leaves alone', async () => {
      const use = await open();
      const [first = '', ...others] = await Promise.all(Array.from({ length: 4 }, () => use.join()));
      await use.leave(first);
      expect(await use.renew(first)).toBe(false);
      expect(await Promise.all(others.map((token) => use.renew(token)))).toEqual([true, true, true]);
      expect(await use.holders()).toBe(3);
    });

    it('lives while one of them renews it, also late', async () => {
      const use = await open();
      const [alive] = await Promise.all([use.join(), use.join()]);
      await use.expire();
      expect(await use.renew(alive)).toBe(true);
      expect(await use.end()).toBe(0);
      expect(await use.holders()).toBe(2);
    });

    it('ends for all when nobody renews it: a killed holder that wakes neither renews nor leaves', async () => {
      const use = await open();
      const killed = await use.join();
      expect(await use.end()).toBe(0);
      await use.expire();
      expect(await use.end()).toBe(1);
      expect(await use.renew(killed)).toBe(false);
      const next = await use.join();
      await use.leave(killed);
      expect(await use.renew(next)).toBe(true);
      expect(await use.holders()).toBe(1);
    });
  });
}

async function claimOf<Claimed>(use: LeaseUse<Claimed>): Promise<Claimed> {
  const claimed = await use.claim();
  if (claimed === undefined) throw new Error('The record is not free.');
  return claimed;
}
