import { DomainError, objectId } from '@docwright/contract';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import parseRange from 'range-parser';
import { z } from 'zod';
import type { DocumentServices } from '../document-services.ts';

/**
 * Kinds that a browser may show in place. Whatever could run script under our origin (HTML, mail) is only ever downloaded.
 */
const shownInline = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'image/tiff', 'text/plain']);

const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: z.unknown() } },
});

export const documentFileRoutes: FastifyPluginAsyncZod<{ services: Pick<DocumentServices, 'documents'> }> = async (
  app,
  { services: { documents } },
) => {
  app.get(
    '/v0/orgs/:org_id/documents/:document_id/file',
    {
      schema: {
        tags: ['documents'],
        operationId: 'downloadDocument',
        summary: 'Download the original bytes',
        description:
          'Answers one byte range with 206; several that are apart are answered with the whole file, and one that the file does not have with 416.',
        params: z.object({ org_id: objectId, document_id: objectId }),
        errors: ['document_not_found', 'range_not_satisfiable'],
        response: { 200: bytes('The file.'), 206: bytes('The range that was asked for.') },
      },
      // The bytes of a document never change, so that a HEAD or a range needs nothing of the rest.
      exposeHeadRoute: true,
    },
    async (request, reply) => {
      const { document, read } = await documents(request.actor).openFile(request.params.document_id);
      const size = document.size_bytes;
      const range = singleRange(request.headers.range, size);
      if (range === 'unsatisfiable') {
        void reply.header('content-range', `bytes */${size}`);
        throw new DomainError(
          'range_not_satisfiable',
          'range_not_satisfiable',
          `The file has ${size} bytes, and none in that range. Leave out the Range header for all of them.`,
        );
      }
      const type = shownInline.has(document.mime_type) ? 'inline' : 'attachment';
      void reply
        .type(document.mime_type)
        .header('content-disposition', contentDisposition(document.document_name, { type }))
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('cache-control', 'private, max-age=31536000, immutable')
        .header('accept-ranges', 'bytes');
      const { start, end } = range ?? { start: 0, end: size - 1 };
      void reply.header('content-length', end - start + 1);
      if (range !== undefined) void reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
      if (request.method === 'HEAD') return reply.send();
      return reply.send(read(range));
    },
  );
};

function singleRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  if (header === undefined) return undefined;
  const ranges = parseRange(size, header, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
