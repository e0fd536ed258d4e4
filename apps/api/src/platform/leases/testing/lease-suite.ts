import { describe, expect, it } from 'vitest';

/** One use of a lease, on a free record. */
export interface LeaseUse<Claimed> {
  /** Claims the record; undefined while it is held. */
  claim(): Promise<Claimed | undefined>;
  /** False if the lease is lost. */
  renew(claimed: Claimed): Promise<boolean>;
  /** A write of the holder; false if it changed nothing. */
  write(claimed: Claimed): Promise<boolean>;
  release(claimed: Claimed): Promise<void>;
  /** Expires the lease, as after a crash of the holder's machine. */
  readonly expire: () => Promise<void>;
}

/** Tests every use of a lease. `open` makes a use on a new record, for each test its own. */
export function describeLease<Claimed>(name: string, open: () => Promise<LeaseUse<Claimed>>): void {
  describe(`the lease of ${name}`, () => {
    it('has one holder when several claim it at once', async () => {
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

    it('passes to another holder on expiry; the former one can no longer renew, write or release it', async () => {
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

    it('stays with a holder that renews it late but before another claim', async () => {
      const use = await open();
      const claimed = await claimOf(use);
      await use.expire();
      expect(await use.renew(claimed)).toBe(true);
      expect(await use.claim()).toBeUndefined();
    });
  });
}

/**
 * The same for a lease that names its holder's process. `killHolder` replaces that with a dead process of this machine.
 */
export function describeLeaseOfProcess<Claimed>(
  name: string,
  open: () => Promise<LeaseUse<Claimed> & { killHolder(): Promise<void> }>,
): void {
  describeLease(name, open);
  it(`the lease of ${name} passes to another holder at once when its holder is killed`, async () => {
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

/** One use of a shared lease, on a free record. */
interface SharedLeaseUse {
  join(): Promise<string>;
  /** False if the lease was ended. */
  renew(token: string): Promise<boolean>;
  leave(token: string): Promise<void>;
  /** How many holders the record has. */
  holders(): Promise<number>;
  readonly expire: () => Promise<void>;
  /** Ends expired leases; returns the number of records. */
  end(): Promise<number>;
}

/** Tests every use of a shared lease. */
export function describeSharedLease(name: string, open: () => Promise<SharedLeaseUse>): void {
  describe(`the shared lease of ${name}`, () => {
    it('is held by all who join at the same time, and each leaves alone', async () => {
      const use = await open();
      const [first = '', ...others] = await Promise.all(Array.from({ length: 4 }, () => use.join()));
      await use.leave(first);
      expect(await use.renew(first)).toBe(false);
      expect(await Promise.all(others.map((token) => use.renew(token)))).toEqual([true, true, true]);
      expect(await use.holders()).toBe(3);
    });

    it('lasts while one holder renews it, even late', async () => {
      const use = await open();
      const [alive] = await Promise.all([use.join(), use.join()]);
      await use.expire();
      expect(await use.renew(alive)).toBe(true);
      expect(await use.end()).toBe(0);
      expect(await use.holders()).toBe(2);
    });

    it('ends for all when nobody renews it: a killed holder that wakes can neither renew nor leave', async () => {
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
