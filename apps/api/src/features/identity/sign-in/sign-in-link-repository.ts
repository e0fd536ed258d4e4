import type { Connection } from 'mongoose';
import { signInLinkModel } from './sign-in-link-model.ts';

const onlyLink = 'first_owner';
export type SignInLinkRepository = ReturnType<typeof createSignInLinkRepository>;

export function createSignInLinkRepository(connection: Connection) {
  const links = signInLinkModel(connection);
  return {
    async replace(tokenHash: string): Promise<void> {
      await links.updateOne({ _id: onlyLink }, { $set: { token_hash: tokenHash } }, { upsert: true });
    },
    /** True for exactly one caller. */
    async take(tokenHash: string): Promise<boolean> {
      const { deletedCount } = await links.deleteOne({ _id: onlyLink, token_hash: tokenHash });
      return deletedCount === 1;
    },
    async withdraw(): Promise<void> {
      await links.deleteOne({ _id: onlyLink });
    },
  };
}
