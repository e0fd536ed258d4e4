import { DomainError } from '@docwright/contract';

/** Common passwords of at least twelve characters, in lower case; shorter ones are refused anyway. */
let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded at first use: the lists unpack to half a megabyte. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String).filter((password) => password.length >= 12));
}
const characterRows = [
  '0123456789'.repeat(3),
  'abcdefghijklmnopqrstuvwxyz'.repeat(2),
  'qwertyuiopasdfghjklzxcvbnm'.repeat(2),
];

/**
 * Refuses passwords that are guessed first: leaked ones, short repetitions, characters in keyboard or alphabet order,
 * and the user's own address.
 * @throws DomainError password_too_common
 */
export async function requireUncommonPassword(password: string, email: string): Promise<void> {
  const text = password.toLowerCase();
  const isCommon =
    (await (common ??= loadCommon())).has(text) ||
    /^(.{1,8})\1+.{0,7}$/u.test(text) ||
    characterRows.some((row) => row.includes(text)) ||
    text === email.toLowerCase();
  if (!isCommon) return;
  throw new DomainError(
    'unprocessable',
    'password_too_common',
    'This password is easy to guess. Use several unrelated words.',
  );
}
