import { DomainError } from '@docwright/contract';
import type { SignInAttemptRepository } from './sign-in-attempt-repository.ts';

const minuteMs = 60_000;

/** Wrong passwords for one account: from one address, and from all addresses together. */
const limits = [
  { windowMs: minuteMs, max: 10, of: (email: string, address: string) => `${address} ${email}` },
  { windowMs: 15 * minuteMs, max: 50, of: (email: string) => email },
];

/** Wrong codes of a second factor for one account. Each has three chances in a million. */
const codeLimit = { windowMs: 60 * minuteMs, max: 10 };

export type SignInLimit = ReturnType<typeof createSignInLimit>;

/** Counts an attempt before it is verified, so that those that come at the same time are counted too. */
export function createSignInLimit(attempts: SignInAttemptRepository) {
  return {
    /**
     * Gives the function that takes the attempt back, for one that succeeds.
     * @throws DomainError too_many_sign_ins
     */
    async begin(email: string, address: string): Promise<() => Promise<void>> {
      for (const { windowMs, max, of } of limits) {
        if ((await attempts.count(of(email, address), windowMs)) > max) throw tooMany(windowMs);
      }
      return async () => {
        await Promise.all(limits.map(({ windowMs, of }) => attempts.undoWrites(of(email, address), windowMs)));
      };
    },

    /**
     * The same for a code of a second factor.
     * @throws DomainError too_many_sign_ins
     */
    async beginCode(userId: string): Promise<() => Promise<void>> {
      const { windowMs, max } = codeLimit;
      const key = `code ${userId}`;
      if ((await attempts.count(key, windowMs)) > max) throw tooMany(windowMs);
      return () => attempts.undoWrites(key, windowMs);
    },
  };
}

function tooMany(windowMs: number): DomainError {
  const seconds = Math.ceil((windowMs - (Date.now() % windowMs)) / 1000);
  return new DomainError(
    'rate_limited',
    'too_many_sign_ins',
    `Too many failed attempts for this account. Try again in ${seconds} seconds.`,
  );
}
