import { DomainError, type AuditEntry } from '@docwright/contract';
import type { Actor } from '../../identity/index.ts';
import type { PromptRepository, PromptService } from '../../prompts/index.ts';
import type { Revision } from '../../revisions/index.ts';
import type { SchemaRepository, SchemaService } from '../../schemas/index.ts';
import type { TagRepository } from '../../tags/index.ts';
import type { FreeName } from '../kinds/free-name.ts';
import type { KindRepository } from '../kinds/kind-repository.ts';
import { partOfDecision } from './part-of-decision.ts';
import type { RejectedBy, RejectionRepository, ReturningDocument } from './rejection-repository.ts';

interface UndoRejectionDependencies {
  rejections: RejectionRepository;
  kinds: Pick<KindRepository, 'exclusively'>;
  freeName: FreeName;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'getCurrent'>;
  schemasOf: (organizationId: string) => Pick<SchemaRepository, 'getCurrent'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'update'>;
  schemasFor: (actor: Actor) => Pick<SchemaService, 'update'>;
  tagsOf: (organizationId: string) => Pick<TagRepository, 'get'>;
}

/** The tool of a rejection in the audit log. */
export const rejectTool = 'reject_proposal';

export type UndoRejection = ReturnType<typeof createUndoRejection>;

export function createUndoRejection(dependencies: UndoRejectionDependencies) {
  const { rejections, kinds, freeName, promptsOf, schemasOf, tagsOf } = dependencies;

  /** Adapts a restored prompt: its name might be taken by now, or a tag deleted. */
  async function resolveConflicts(
    actor: Actor,
    prompt: Revision<{ tag_ids: string[]; schema_id?: string }>,
  ): Promise<void> {
    const { organizationId } = actor;
    const { artifact_id, name, content } = prompt;
    const existing = await Promise.all(content.tag_ids.map(async (id) => (await tagsOf(organizationId).get(id)) && id));
    const tag_ids = existing.filter((id) => id !== undefined);
    const free = await freeName(organizationId, 'prompt', name, artifact_id);
    if (free !== name || tag_ids.length < content.tag_ids.length) {
      await dependencies.promptsFor(actor).update(artifact_id, { name: free, tag_ids }, partOfDecision());
    }
    const { schema_id } = content;
    const schema = schema_id === undefined ? undefined : await schemasOf(organizationId).getCurrent(schema_id);
    if (schema?.review !== 'pending') return;
    const freeOfSchema = await freeName(organizationId, 'schema', schema.name, schema.artifact_id);
    if (freeOfSchema !== schema.name) {
      await dependencies.schemasFor(actor).update(schema.artifact_id, { name: freeOfSchema }, partOfDecision());
    }
  }

  async function restoreDocument(actor: Actor, document: ReturningDocument): Promise<boolean> {
    const { organizationId, promptId, decisionId, givenTag } = document;
    return await kinds.exclusively(organizationId, async () => {
      const before = await promptsOf(organizationId).getCurrent(promptId);
      if (before === undefined) await rejections.restoreKind(organizationId, promptId);
      const prompt = before ?? (await promptsOf(organizationId).getCurrent(promptId));
      if (before === undefined && prompt) await resolveConflicts(actor, prompt);
      if (prompt) await rejections.restoreExtractions(document, promptId, decisionId);
      await rejections.finishReturn(document, {
        tagId: givenTag === undefined ? undefined : (await tagsOf(organizationId).get(givenTag))?.tag_id,
        isAccepted: prompt?.review === undefined,
        hasPrompt: prompt !== undefined,
      });
      return prompt !== undefined;
    });
  }

  return {
    /** Restores one returning document. Returns false if its prompt cannot be restored. Idempotent. */
    restoreDocument,
    /** Undoes a rejection by its entry in the audit log: its documents become pending again. Idempotent. */
    undo: async (actor: Actor, { kind, call_id, document_id, arguments: args }: AuditEntry): Promise<void> => {
      const { decision_id } = JSON.parse(args) as { decision_id?: string };
      const decisionId = kind === 'executed' ? call_id : decision_id;
      if (decisionId === undefined) throw nothingToUndo();
      const rejected: RejectedBy = { decisionId, ...(kind === 'executed' ? {} : { documentId: document_id }) };
      const returning = await rejections.startReturn(actor.organizationId, rejected, actor.userId);
      let returned = 0;
      for (const document of returning) returned += (await restoreDocument(actor, document)) ? 1 : 0;
      if (returned > 0) return;
      if (returning.length > 0) throw nothingToUndo();
      const obstacle = await rejections.returnObstacle(actor.organizationId, rejected);
      if (obstacle === 'changed') throw nothingToUndo();
      if (obstacle === 'unfinished') {
        throw new DomainError('conflict', 'changed_since', 'The rejection is still in progress. Try again soon.');
      }
    },
  };
}

function nothingToUndo(): DomainError {
  return new DomainError(
    'conflict',
    'changed_since',
    'Nothing was undone: since then the documents were deleted, proposed or decided again, or their prompt was deleted.',
  );
}
