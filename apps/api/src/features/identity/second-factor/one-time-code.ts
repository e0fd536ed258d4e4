import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const issuer = 'Docwright';
/** RFC 6238 as every authenticator app reads it. */
const settings = { issuer, algorithm: 'SHA1', digits: 6, period: 30 };

/** 160 random bits in Base32. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export function enrolmentUri(secret: string, email: string): string {
  return new TOTP({ ...settings, label: email, secret }).toString();
}

/**
 * The time step that a code belongs to: the present one, or the one before or after it, for clocks that differ. Undefined
 * for a wrong code.
 */
export function stepOfCode(secret: string, code: string, at = Date.now()): number | undefined {
  const delta = new TOTP({ ...settings, secret }).validate({ token: code, timestamp: at, window: 1 });
  return delta === null ? undefined : Math.floor(at / 1000 / settings.period) + delta;
}

const recoveryCodeCount = 10;
/** Crockford's Base32: no letters that look like digits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten codes of 50 random bits, such as `k3v9p-0xq7m`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const code = [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('');
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/** A code as it is compared: without spaces and hyphens, in lower case. */
export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}
