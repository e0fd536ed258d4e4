import { createHash } from 'node:crypto';
import type { ReadContent } from '@docwright/agent-core';
import mongoose, { type Connection } from 'mongoose';
import type { Actor } from '../identity/index.ts';
import { programReadModel } from './program-read-model.ts';

/**
 * The data that tools returned to the programs of a user during the last day. The model of a program has it in context,
 * and the server has no conversation that holds it.
 */
export type ProgramReads = ReturnType<typeof createProgramReads>;

const retentionMs = 24 * 60 * 60_000;
const maxRecords = 300;
/** More than the context of a large model. */
const maxCharacters = 8_000_000;

export function createProgramReads(connection: Connection) {
  const model = programReadModel(connection);
  return {
    async add(actor: Actor, content: ReadContent): Promise<void> {
      const { objects, texts, hasPicture } = content;
      if (objects.length === 0 && texts.length === 0 && !hasPicture) return;
      const json = JSON.stringify(content);
      const owner = ownerOf(actor);
      const key = createHash('sha256').update(JSON.stringify(owner)).update(json).digest('base64url');
      const document_ids = [...new Set(texts.flatMap(({ documentId }) => documentId ?? []))];
      const now = Date.now();
      const seen = { read_at: new Date(now), expires_at: new Date(now + retentionMs) };
      await model.updateOne(
        { _id: key },
        { $set: seen, $setOnInsert: { ...owner, document_ids, content: json } },
        { upsert: true },
      );
    },
    /** The newest last, as much as the context of a large model holds. */
    async list(actor: Actor): Promise<ReadContent[]> {
      const found = await model
        .find({ ...ownerOf(actor), expires_at: { $gt: new Date() } }, { content: 1 })
        .sort({ read_at: -1 })
        .limit(maxRecords)
        .lean();
      let characters = 0;
      const kept = found.filter(({ content }) => (characters += content.length) <= maxCharacters);
      return kept.map(({ content }) => JSON.parse(content) as ReadContent).toReversed();
    },
  };
}

function ownerOf({ organizationId, userId }: Actor) {
  return {
    organization_id: new mongoose.Types.ObjectId(organizationId),
    user_id: new mongoose.Types.ObjectId(userId),
  };
}
