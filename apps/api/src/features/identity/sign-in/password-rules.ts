import { DomainError } from '@docwright/contract';

/** Of twelve characters and more, in lower case: shorter ones are refused anyway. */
let common: Promise<ReadonlySet<string>> | undefined;

/** The lists unpack half a megabyte: they are loaded when a password is chosen, and not at every start. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String).filter((password) => password.length >= 12));
}
const inARow = ['0123456789'.repeat(3), 'abcdefghijklmnopqrstuvwxyz'.repeat(2), 'qwertyuiopasdfghjklzxcvbnm'.repeat(2)];

/**
 * Refuses what is guessed first: passwords from lists of leaked ones, a few characters repeated, characters in their order, a
 * common word twice, and the person's own address.
 * @throws DomainError password_too_common
 */
export async function requireUncommonPassword(password: string, email: string): Promise<void> {
  const text = password.toLowerCase();
  const isCommon =
    (await (common ??= loadCommon())).has(text) ||
    /^(.{1,8})\1+.{0,7}$/u.test(text) ||
    inARow.some((row) => row.includes(text)) ||
    text === email.toLowerCase();
  if (!isCommon) return;
  throw new DomainError(
    'unprocessable',
    'password_too_common',
    'This password is among those that are guessed first. Take several words that have nothing to do with each other.',
  );
}
