import type { TurnStore } from '@docwright/agent-core';
import { DomainError, type Document } from '@docwright/contract';
import type { Actor } from '../../identity/index.ts';
import type { ThreadOwner } from '../../threads/index.ts';
import type { StoredTurn, TurnRepository } from '../../turns/index.ts';

/**
 * Reads the document of a turn, also one that a call of this turn has moved to the trash: who repeats a request gets to know
 * what was done. Throws `document_not_found`.
 */
export type DocumentOfTurn = (actor: Actor, owner: ThreadOwner, turnId: string) => Promise<Document>;

interface DocumentOfTurnDependencies {
  documentOf: (actor: Actor, documentId: string) => Promise<Document>;
  trashedByCall: (actor: Actor, documentId: string) => Promise<{ document: Document; callId: string } | undefined>;
  turnsOf: (owner: ThreadOwner) => Pick<TurnRepository, 'get'>;
  turnStore: Pick<TurnStore, 'find'>;
}

export function createDocumentOfTurn(dependencies: DocumentOfTurnDependencies): DocumentOfTurn {
  const { documentOf, trashedByCall, turnsOf, turnStore } = dependencies;

  /** The ids of the calls that the turn has decided or run, or is about to. */
  async function callIdsOf(owner: ThreadOwner, { id, decided, answer }: StoredTurn): Promise<string[]> {
    const lookup = await turnStore.find(id, owner);
    const { batch, executedRounds = [] } = lookup.state === 'waiting' ? lookup.turn : {};
    const executed = [...(answer?.executed_rounds ?? []), ...executedRounds].flatMap(({ tool_calls }) => tool_calls);
    return [
      ...decided.flatMap(({ call_ids }) => call_ids),
      ...[...(batch?.calls ?? []), ...executed].map((call) => call.id),
    ];
  }

  return async (actor, owner, turnId) => {
    try {
      return await documentOf(actor, owner.documentId);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'document_not_found') throw error;
      const [trashed, turn] = await Promise.all([trashedByCall(actor, owner.documentId), turnsOf(owner).get(turnId)]);
      if (trashed === undefined || turn === undefined) throw error;
      const calls = await callIdsOf(owner, turn);
      // A step of a plan has the id of the plan's call before its own.
      if (!calls.some((id) => trashed.callId === id || trashed.callId.startsWith(`${id}/`))) throw error;
      return trashed.document;
    }
  };
}
