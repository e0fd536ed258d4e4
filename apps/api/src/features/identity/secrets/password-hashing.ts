import { hash, verify } from '@node-rs/argon2';

/** argon2id, the library's default algorithm, with OWASP's minimum of memory and passes. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return await hash(password, options);
}

let decoy: Promise<string> | undefined;

/** Without a hash, verifies a decoy, so that the time does not reveal whether the account exists. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash != null;
}
