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

/** The name of an upload in the audit log. No agent has such a tool. */
export const uploadTool = 'upload_document';

/** One write of a request, for the audit log. */
interface RecordedWrite {
  tool: string;
  documentId?: string;
  arguments: Record<string, unknown>;
}

/**
 * Wraps the services for requests of the API: a write without an origin gets one of its own, is recorded in the audit
 * log, and can be undone by its entry.
 */
export function createRecordedWrites(auditOf: (organizationId: string) => AuditLog) {
  async function record<Value>(
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
            record(actor, { tool: 'create_schema', arguments: body }, origin, (from) => service.create(body, from)),
          update: (schema_id, body, origin): Promise<Schema> =>
            record(actor, { tool: 'update_schema', arguments: { schema_id, ...body } }, origin, (from) =>
              service.update(schema_id, body, from),
            ),
          delete: (schema_id, origin): Promise<void> =>
            record(actor, { tool: 'delete_schema', arguments: { schema_id } }, origin, (from) =>
              service.delete(schema_id, from),
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
            record(actor, { tool: 'create_prompt', arguments: body }, origin, (from) => service.create(body, from)),
          update: (prompt_id, body, origin): Promise<Prompt> =>
            record(actor, { tool: 'update_prompt', arguments: { prompt_id, ...body } }, origin, (from) =>
              service.update(prompt_id, body, from),
            ),
          delete: (prompt_id, origin): Promise<void> =>
            record(actor, { tool: 'delete_prompt', arguments: { prompt_id } }, origin, (from) =>
              service.delete(prompt_id, from),
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
            record(actor, { tool: 'create_tag', arguments: body }, origin, (from) => service.create(body, from)),
          update: (tag_id, body, origin): Promise<Tag> =>
            record(actor, { tool: 'update_tag', arguments: { tag_id, ...body } }, origin, (from) =>
              service.update(tag_id, body, from),
            ),
          delete: (tag_id, origin): Promise<void> =>
            record(actor, { tool: 'delete_tag', arguments: { tag_id } }, origin, (from) =>
              service.delete(tag_id, from),
            ),
        };
      },
    documents:
      (serviceFor: (actor: Actor) => DocumentService) =>
      (actor: Actor): DocumentService => {
        const service = serviceFor(actor);
        return {
          ...service,
          update: (document_id, change, origin): Promise<Document> =>
            record(
              actor,
              { tool: 'update_document', documentId: document_id, arguments: { document_id, ...change } },
              origin,
              (from) => service.update(document_id, change, from),
            ),
          delete: (document_id, origin): Promise<void> =>
            record(
              actor,
              { tool: 'delete_document', documentId: document_id, arguments: { document_id } },
              origin,
              (from) => service.delete(document_id, from),
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
            record(
              actor,
              { tool: 'split_document', documentId: document_id, arguments: { document_id, parts } },
              origin,
              (from) => service.split(document_id, parts, from),
            ),
        };
      },
    /** Undoing an upload moves the document to the trash. */
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
            record(
              actor,
              write('run_extraction', document_id, { prompt_revid, ...(replace && { replace }) }),
              origin,
              (from) => service.run(document_id, prompt_revid, from, signal, replace),
            ),
          updateField: (document_id, prompt_revid, change, origin): Promise<Extraction> =>
            record(actor, write('update_extraction_field', document_id, { prompt_revid, ...change }), origin, (from) =>
              service.updateField(document_id, prompt_revid, change, from),
            ),
          decide: (document_id, prompt_revid, decisions, origin): Promise<ReviewOutcome[]> =>
            record(actor, write('review_values', document_id, { prompt_revid, decisions }), origin, (from) =>
              service.decide(document_id, prompt_revid, decisions, from),
            ),
          setVerified: (document_id, prompt_revid, is_verified, origin): Promise<Extraction> =>
            record(actor, write('verify_extraction', document_id, { prompt_revid, is_verified }), origin, (from) =>
              service.setVerified(document_id, prompt_revid, is_verified, from),
            ),
          restore: (document_id, prompt_revid, version, origin): Promise<Extraction> =>
            record(actor, write('restore_extraction', document_id, { prompt_revid, version }), origin, (from) =>
              service.restore(document_id, prompt_revid, version, from),
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
