import { randomUUID } from 'node:crypto';
import type { Document, Extraction, Prompt, ReviewOutcome, Schema, SplitAnswer, Tag } from '@docwright/contract';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { UploadService, SplitService, DocumentService } from '../documents/index.ts';
import type { ExtractionService } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import type { TagService } from '../tags/index.ts';
import type { AuditLog } from './audit-log.ts';

/** What the audit log calls an upload; no agent has such a tool. */
export const uploadTool = 'upload_document';

/** One write of a request, as the audit log tells it. */
interface RecordedWrite {
  tool: string;
  documentId?: string;
  arguments: Record<string, unknown>;
}

/**
 * The services as requests of the API use them: a write that comes from no agent gets an origin of its own, so that it
 * stands in the audit log and can be undone by its entry.
 */
export function createRecordedWrites(auditOf: (organizationId: string) => AuditLog) {
  async function recorded<Value>(
    { organizationId, userId, token }: Actor,
    { arguments: args, ...write }: RecordedWrite,
    origin: WriteOrigin | undefined,
    run: (origin: WriteOrigin) => Promise<Value>,
  ): Promise<Value> {
    if (origin !== undefined) return run(origin);
    const callId = `api-${randomUUID()}`;
    const value = await run({ call_id: callId, turn_id: callId, source: { kind: 'api' }, user_id: userId });
    const entry = {
      ...write,
      kind: 'executed' as const,
      actor: userId,
      callId,
      success: true,
      ...(token && { token }),
    };
    await auditOf(organizationId).record([{ ...entry, origin: { kind: 'api' }, arguments: JSON.stringify(args) }]);
    return value;
  }

  const recording = {
    schemas:
      (serviceFor: (actor: Actor) => SchemaService) =>
      (actor: Actor): SchemaService => {
        const service = serviceFor(actor);
        return {
          ...service,
          create: (body, origin): Promise<Schema> =>
            recorded(actor, { tool: 'create_schema', arguments: body }, origin, (by) => service.create(body, by)),
          update: (schema_id, body, origin): Promise<Schema> =>
            recorded(actor, { tool: 'update_schema', arguments: { schema_id, ...body } }, origin, (by) =>
              service.update(schema_id, body, by),
            ),
          delete: (schema_id, origin): Promise<void> =>
            recorded(actor, { tool: 'delete_schema', arguments: { schema_id } }, origin, (by) =>
              service.delete(schema_id, by),
            ),
        };
      },
    prompts:
      (serviceFor: (actor: Actor) => PromptService) =>
      (actor: Actor): PromptService => {
        const service = serviceFor(actor);
        return {
          ...service,
          create: (body, origin): Promise<Prompt> =>
            recorded(actor, { tool: 'create_prompt', arguments: body }, origin, (by) => service.create(body, by)),
          update: (prompt_id, body, origin): Promise<Prompt> =>
            recorded(actor, { tool: 'update_prompt', arguments: { prompt_id, ...body } }, origin, (by) =>
              service.update(prompt_id, body, by),
            ),
          delete: (prompt_id, origin): Promise<void> =>
            recorded(actor, { tool: 'delete_prompt', arguments: { prompt_id } }, origin, (by) =>
              service.delete(prompt_id, by),
            ),
        };
      },
    tags:
      (serviceFor: (actor: Actor) => TagService) =>
      (actor: Actor): TagService => {
        const service = serviceFor(actor);
        return {
          ...service,
          create: (body, origin): Promise<Tag> =>
            recorded(actor, { tool: 'create_tag', arguments: body }, origin, (by) => service.create(body, by)),
          update: (tag_id, body, origin): Promise<Tag> =>
            recorded(actor, { tool: 'update_tag', arguments: { tag_id, ...body } }, origin, (by) =>
              service.update(tag_id, body, by),
            ),
          delete: (tag_id, origin): Promise<void> =>
            recorded(actor, { tool: 'delete_tag', arguments: { tag_id } }, origin, (by) => service.delete(tag_id, by)),
        };
      },
    documents:
      (serviceFor: (actor: Actor) => DocumentService) =>
      (actor: Actor): DocumentService => {
        const service = serviceFor(actor);
        return {
          ...service,
          update: (document_id, change, origin): Promise<Document> =>
            recorded(
              actor,
              { tool: 'update_document', documentId: document_id, arguments: { document_id, ...change } },
              origin,
              (by) => service.update(document_id, change, by),
            ),
          delete: (document_id, origin): Promise<void> =>
            recorded(
              actor,
              { tool: 'delete_document', documentId: document_id, arguments: { document_id } },
              origin,
              (by) => service.delete(document_id, by),
            ),
        };
      },
    splitting:
      (serviceFor: (actor: Actor) => SplitService) =>
      (actor: Actor): SplitService => {
        const service = serviceFor(actor);
        return {
          ...service,
          split: (document_id, parts, origin): Promise<SplitAnswer> =>
            recorded(
              actor,
              { tool: 'split_document', documentId: document_id, arguments: { document_id, parts } },
              origin,
              (by) => service.split(document_id, parts, by),
            ),
        };
      },
    /** An upload that is undone goes to the trash. */
    uploads:
      (uploadFor: UploadService): UploadService =>
      (actor) => {
        const upload = uploadFor(actor);
        return {
          ...upload,
          async finish(files): Promise<Document[]> {
            const documents = await upload.finish(files);
            const entries = documents.map(({ id, document_name, mime_type, size_bytes, tag_ids }) => ({
              kind: 'executed' as const,
              actor: actor.userId,
              documentId: id,
              callId: `api-${randomUUID()}`,
              tool: uploadTool,
              arguments: JSON.stringify({ document_id: id, document_name, mime_type, size_bytes, tag_ids }),
              success: true,
              origin: { kind: 'api' as const },
            }));
            await auditOf(actor.organizationId).record(entries);
            return documents;
          },
        };
      },
    extractions:
      (serviceFor: (actor: Actor) => ExtractionService) =>
      (actor: Actor): ExtractionService => {
        const service = serviceFor(actor);
        const write = (tool: string, document_id: string, args: Record<string, unknown>): RecordedWrite => ({
          tool,
          documentId: document_id,
          arguments: { document_id, ...args },
        });
        return {
          ...service,
          run: (document_id, prompt_revid, origin, signal, replace): Promise<Extraction> =>
            recorded(
              actor,
              write('run_extraction', document_id, { prompt_revid, ...(replace && { replace }) }),
              origin,
              (by) => service.run(document_id, prompt_revid, by, signal, replace),
            ),
          updateField: (document_id, prompt_revid, change, origin): Promise<Extraction> =>
            recorded(actor, write('update_extraction_field', document_id, { prompt_revid, ...change }), origin, (by) =>
              service.updateField(document_id, prompt_revid, change, by),
            ),
          decide: (document_id, prompt_revid, decisions, origin): Promise<ReviewOutcome[]> =>
            recorded(actor, write('review_values', document_id, { prompt_revid, decisions }), origin, (by) =>
              service.decide(document_id, prompt_revid, decisions, by),
            ),
          setVerified: (document_id, prompt_revid, is_verified, origin): Promise<Extraction> =>
            recorded(actor, write('verify_extraction', document_id, { prompt_revid, is_verified }), origin, (by) =>
              service.setVerified(document_id, prompt_revid, is_verified, by),
            ),
          restore: (document_id, prompt_revid, version, origin): Promise<Extraction> =>
            recorded(actor, write('restore_extraction', document_id, { prompt_revid, version }), origin, (by) =>
              service.restore(document_id, prompt_revid, version, by),
            ),
        };
      },
  };
  return {
    ...recording,
    all: (services: LibraryServices): LibraryServices => ({
      tags: recording.tags(services.tags),
      schemas: recording.schemas(services.schemas),
      prompts: recording.prompts(services.prompts),
      extractions: recording.extractions(services.extractions),
    }),
  };
}

interface LibraryServices {
  tags: (actor: Actor) => TagService;
  schemas: (actor: Actor) => SchemaService;
  prompts: (actor: Actor) => PromptService;
  extractions: (actor: Actor) => ExtractionService;
}
