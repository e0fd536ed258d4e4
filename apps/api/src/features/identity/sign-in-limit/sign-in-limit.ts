import { DomainError } from '@docwright/contract';
import { networkOf } from '../../../platform/network/network-of.ts';
import type { SignInAttemptRepository } from './sign-in-attempt-repository.ts';

const minuteMs = 60_000;

/** Maximum wrong passwords per account: from one address, and from all addresses. */
const limits = [
  { windowMs: minuteMs, max: 10, of: (email: string, address: string) => `${networkOf(address)} ${email}` },
  { windowMs: 15 * minuteMs, max: 50, of: (email: string) => email },
];

/** Maximum wrong second-factor codes per account. Each guess has three chances in a million. */
const codeLimit = { windowMs: 60 * minuteMs, max: 10 };

export type SignInLimit = ReturnType<typeof createSignInLimit>;

/** Counts attempts before they are verified, so that concurrent ones count too. */
export function createSignInLimit(attempts: SignInAttemptRepository) {
  return {
    /**
     * Counts an attempt. Returns the function that uncounts it after success.
     * @throws DomainError too_many_sign_ins
     */
    async countSignIn(email: string, address: string): Promise<() => Promise<void>> {
      for (const { windowMs, max, of } of limits) {
        if ((await attempts.count(of(email, address), windowMs)) > max) throw tooMany(windowMs);
      }
      return async () => {
        await Promise.all(limits.map(({ windowMs, of }) => attempts.uncount(of(email, address), windowMs)));
      };
    },

    /**
     * The same for a code of a second factor.
     * @throws DomainError too_many_sign_ins
     */
    async countCode(userId: string): Promise<() => Promise<void>> {
      const { windowMs, max } = codeLimit;
      const key = `code ${userId}`;
      if ((await attempts.count(key, windowMs)) > max) throw tooMany(windowMs);
      return () => attempts.uncount(key, windowMs);
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
