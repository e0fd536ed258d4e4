import { DomainError } from '@docwright/contract';
import type { SealedTexts } from '../../../platform/settings/sealed-text.ts';
import { requireSession, type Principal } from '../rights/actor.ts';
import { verifyPassword } from '../secrets/password-hashing.ts';
import type { SessionRepository } from '../sessions/session-repository.ts';
import type { SignInLimit } from '../sign-in-limit/sign-in-limit.ts';
import type { Account, UserRepository } from '../users/user-repository.ts';
import type { SecondFactorRepository } from './second-factor-repository.ts';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const minuteMs = 60_000;
/** How long a new secret can be confirmed. */
const proposalMs = 15 * minuteMs;

export type SecondFactorService = ReturnType<typeof createSecondFactorService>;

/** The factor besides the password: a code of an authenticator app, or one of ten recovery codes. */
export function createSecondFactorService(dependencies: {
  users: UserRepository;
  sessions: SessionRepository;
  secondFactors: SecondFactorRepository;
  signInLimit: SignInLimit;
  sealedTexts: SealedTexts;
  hashToken: (token: string) => string;
  log: { info(fields: object, message: string): void };
}) {
  const { users, sessions, secondFactors, signInLimit, sealedTexts, hashToken, log } = dependencies;
  const boundTo = (userId: string) => `second factor of ${userId}`;
  const hashesOf = (codes: string[]) => codes.map((code) => hashToken(plainCode(code)));

  async function isCorrectCode(userId: string, sealedSecret: string, code: string): Promise<boolean> {
    const plain = plainCode(code);
    if (!/^\d{6}$/.test(plain)) return secondFactors.useRecoveryCode(userId, hashToken(plain));
    const secret = sealedTexts.open(sealedSecret, boundTo(userId));
    const step = secret === undefined ? undefined : stepOfCode(secret, plain);
    return step !== undefined && (await secondFactors.useStep(userId, step));
  }

  /** Counts the attempt before checking the code. */
  async function requireCode(userId: string, sealedSecret: string, code: string): Promise<void> {
    const forgetAttempt = await signInLimit.countCode(userId);
    if (!(await isCorrectCode(userId, sealedSecret, code))) {
      log.info({ event: 'second_factor_refused', user_id: userId }, 'a code was wrong or used before');
      throw new DomainError(
        'forbidden',
        'wrong_code',
        'The code is wrong or was used before. Take the one that the authenticator app shows now, or a recovery code.',
      );
    }
    await forgetAttempt();
  }

  async function accountWith(principal: Principal, password: string): Promise<Account> {
    requireSession(principal);
    const account = await users.findById(principal.userId);
    if (account === undefined || !(await verifyPassword(account.passwordHash, password))) {
      throw new DomainError('forbidden', 'wrong_password', 'The current password is wrong.');
    }
    return account;
  }

  async function requireEnabled(userId: string): Promise<{ sealedSecret: string }> {
    const factor = await secondFactors.find(userId);
    if (factor !== undefined) return factor;
    throw new DomainError('conflict', 'second_factor_off', 'This account has no second factor.');
  }

  async function requireDisabled(userId: string): Promise<void> {
    if ((await secondFactors.find(userId)) === undefined) return;
    throw new DomainError('conflict', 'second_factor_on', 'This account already has a second factor. Remove it first.');
  }

  return {
    /**
     * The state after a correct password: `off` without a second factor, `needed` without a code, `shown` after a
     * correct one.
     * @throws DomainError wrong_code, too_many_sign_ins
     */
    async verifyAtSignIn(userId: string, code: string | undefined): Promise<'off' | 'needed' | 'shown'> {
      const factor = await secondFactors.find(userId);
      if (factor === undefined) return 'off';
      if (code === undefined) return 'needed';
      await requireCode(userId, factor.sealedSecret, code);
      return 'shown';
    },

    async state(principal: Principal) {
      requireSession(principal);
      const factor = await secondFactors.find(principal.userId);
      return {
        enabled: factor !== undefined,
        enabled_at: factor?.enabledAt.toISOString() ?? null,
        recovery_codes_left: factor?.recoveryCodesLeft ?? 0,
      };
    },

    /** A secret for an authenticator app. It takes effect once a code of it is confirmed. */
    async propose(principal: Principal, password: string): Promise<{ secret: string; uri: string }> {
      const account = await accountWith(principal, password);
      await requireDisabled(account.id);
      const secret = newSecret();
      const sealed = sealedTexts.seal(secret, boundTo(account.id));
      await secondFactors.propose(account.id, sealed, new Date(Date.now() + proposalMs));
      return { secret, uri: enrolmentUri(secret, account.email) };
    },

    /**
     * Enables the second factor, ends every other session, and returns the recovery codes, which are shown only once.
     */
    async confirm(principal: Principal, code: string): Promise<{ recovery_codes: string[] }> {
      const sessionId = requireSession(principal);
      const { userId } = principal;
      await requireDisabled(userId);
      const sealed = await secondFactors.findProposed(userId);
      const secret = sealed === undefined ? undefined : sealedTexts.open(sealed, boundTo(userId));
      if (sealed === undefined || secret === undefined) {
        throw new DomainError('conflict', 'enrolment_over', 'The secret has expired. Start again with a new one.');
      }
      const forgetAttempt = await signInLimit.countCode(userId);
      const step = stepOfCode(secret, plainCode(code));
      if (step === undefined) {
        throw new DomainError(
          'unprocessable',
          'code_not_confirmed',
          'The code does not belong to this secret. Check the clock of the device, and take the code that it shows now.',
        );
      }
      await forgetAttempt();
      const recovery_codes = newRecoveryCodes();
      if (!(await secondFactors.enable(userId, sealed, step, hashesOf(recovery_codes)))) await requireDisabled(userId);
      await sessions.endAllOf(userId, sessionId);
      await sessions.setSecondFactor(userId, true);
      log.info({ event: 'second_factor_enabled', user_id: userId }, 'a second factor was turned on');
      return { recovery_codes };
    },

    /** Creates new recovery codes; the previous ones stop working. */
    async renewRecoveryCodes(
      principal: Principal,
      { password, code }: { password: string; code: string },
    ): Promise<{ recovery_codes: string[] }> {
      const { id } = await accountWith(principal, password);
      await requireCode(id, (await requireEnabled(id)).sealedSecret, code);
      const recovery_codes = newRecoveryCodes();
      await secondFactors.replaceRecoveryCodes(id, hashesOf(recovery_codes));
      log.info({ event: 'recovery_codes_renewed', user_id: id }, 'recovery codes were renewed');
      return { recovery_codes };
    },

    async remove(principal: Principal, { password, code }: { password: string; code: string }): Promise<void> {
      const { id } = await accountWith(principal, password);
      await requireCode(id, (await requireEnabled(id)).sealedSecret, code);
      await secondFactors.remove(id);
      await sessions.setSecondFactor(id, false);
      log.info({ event: 'second_factor_removed', user_id: id }, 'a second factor was removed');
    },
  };
}

const issuer = 'Docwright';
/** RFC 6238 as every authenticator app reads it. */
const settings = { issuer, algorithm: 'SHA1', digits: 6, period: 30 };

/** 160 random bits in Base32. */
function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that an authenticator app reads from a QR code. */
function enrolmentUri(secret: string, email: string): string {
  return new TOTP({ ...settings, label: email, secret }).toString();
}

/** The time step of a code: the current one, or an adjacent one for clocks that differ. Undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, at = Date.now()): number | undefined {
  const delta = new TOTP({ ...settings, secret }).validate({ token: code, timestamp: at, window: 1 });
  return delta === null ? undefined : Math.floor(at / 1000 / settings.period) + delta;
}

const recoveryCodeCount = 10;
/** Crockford's Base32: no letters that look like digits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten codes of 50 random bits, such as `k3v9p-0xq7m`. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const code = [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('');
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/** The canonical form of a code: lower case, without spaces and hyphens. */
function plainCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}
