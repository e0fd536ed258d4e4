import {
  document,
  documentList,
  documentListQuery,
  documentText,
  documentWords,
  objectId,
  pageNumberQuery,
  patchDocumentBody,
  trashDays,
  type Document,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { DocumentServices } from './document-services.ts';

const operation = operationsOf('documents');
const listPath = z.object({ org_id: objectId });
const documentPath = listPath.extend({ document_id: objectId });

export const documentRoutes: FastifyPluginAsyncZod<{
  services: Pick<DocumentServices, 'documents'>;
  /** Adds the log of the document's automatic proposal. */
  withLog: (actor: Actor, document: Document) => Promise<Document>;
}> = async (app, { services: { documents }, withLog }) => {
  app.get(
    '/v0/orgs/:org_id/documents',
    operation({
      operationId: 'listDocuments',
      summary: 'List documents, newest first by default',
      description:
        '`tag_ids` (comma separated or repeated) selects documents that have all of these tags. `sort` is `document_name` (ignores case), `size_bytes` or `upload_date`; `order` is `asc` or `desc`. Documents that a later version replaced are left out without `include_replaced`; `missing` selects those whose file is gone from its source. `total_count` counts up to 10,000, then `total_is_minimum` is set; `exact_count=true` counts all. `next_cursor` as `cursor` continues beyond a `skip` of 10,000. `stage` selects by what comes next: `needs_you` are documents with a call that waits for you (`waiting_calls`), values to check, an incomplete result or a failure. `incomplete_results` is present if results of a document are incomplete.',
      params: listPath,
      querystring: documentListQuery,
      errors: ['cursor_not_valid'],
      response: { 200: documentList },
    }),
    (request) => documents(request.actor).list(request.query),
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id',
    operation({
      operationId: 'getDocument',
      summary: 'Get a document',
      description: 'Includes `auto_create.agent_log`, which lists leave out.',
      params: documentPath,
      errors: ['document_not_found'],
      response: { 200: document },
    }),
    async (request) => {
      const service = documents(request.actor);
      const [found] = await service.withResults([await service.get(request.params.document_id)]);
      return await withLog(request.actor, found!);
    },
  );

  app.patch(
    '/v0/orgs/:org_id/documents/:document_id',
    operation({
      operationId: 'updateDocument',
      summary: 'Change name, tags or metadata of a document',
      description:
        'Omitted fields do not change. `add_tag_ids`, `remove_tag_ids`, `set_metadata` and `remove_metadata` keep what others write meanwhile; `tag_ids` and `metadata` replace all. `duplicate_of: null` makes a duplicate a document of its own, which is then read. `never_to_model: true` keeps the document from all models; only an admin clears it.',
      params: documentPath,
      body: patchDocumentBody.meta({
        examples: [
          {
            document_name: 'Invoice 1042.pdf',
            tag_ids: ['6650f1c2a4b3d2e1f0a9b8c7'],
            metadata: { cost_center: '4711' },
          },
        ],
      }),
      errors: ['unknown_reference', 'viewer_cannot_write', 'admin_required', 'document_not_found', 'document_too_full'],
      response: { 200: document },
    }),
    (request) => documents(request.actor).update(request.params.document_id, request.body),
  );

  app.delete(
    '/v0/orgs/:org_id/documents/:document_id',
    operation({
      operationId: 'deleteDocument',
      summary: 'Move a document to the trash',
      description: `Includes everything that belongs to it. It can be restored for ${trashDays} days; then it is removed for good.`,
      params: documentPath,
      errors: ['viewer_cannot_write', 'document_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await documents(request.actor).delete(request.params.document_id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/text',
    operation({
      operationId: 'getDocumentText',
      summary: 'Read the text of all pages or of one',
      description:
        '`hidden_text` counts the characters that are left out because a reader cannot see them; `ocr_error` is the reason why a scanned page could not be read; `unread` names what could not be read. While the document is `ocr_processing`, scanned pages are still empty.',
      params: documentPath,
      querystring: pageNumberQuery,
      errors: ['document_not_found', 'page_not_found'],
      response: { 200: documentText },
    }),
    async (request) => {
      const pages = await documents(request.actor).texts(request.params.document_id, request.query.page_num);
      return { pages };
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/words',
    operation({
      operationId: 'getPageWords',
      summary: 'Read the words of one page with their boxes',
      description:
        'Boxes are in points of the displayed page, origin top left; one pixel of an image is one point. Page 1 by default. Recognised words have a `confidence` from 0 to 1, and the `engine` that read them.',
      params: documentPath,
      querystring: pageNumberQuery,
      errors: ['document_not_found', 'page_not_found'],
      response: { 200: documentWords },
    }),
    (request) => documents(request.actor).words(request.params.document_id, request.query.page_num ?? 1),
  );
};
