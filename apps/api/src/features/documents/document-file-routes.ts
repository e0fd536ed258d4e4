import { document, DomainError, objectId, pageNumberQuery, pictureTypes, unlockBody } from '@docwright/contract';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import parseRange from 'range-parser';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { DocumentServices } from './document-services.ts';

const operation = operationsOf('documents');

/** Types that a browser can show inline. Types that could run script under our origin (HTML, mail) are downloaded. */
const shownInline = new Set<string>(['application/pdf', ...pictureTypes, 'text/plain']);

const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: z.unknown() } },
});

/** A download from which the client reads nothing for so long ends. */
const stalledAfterMs = 120_000;

export const documentFileRoutes: FastifyPluginAsyncZod<{
  services: Pick<DocumentServices, 'documents'>;
  streams: StreamAdmission;
  downloadStallMs?: number;
}> = async (app, { services: { documents }, streams, downloadStallMs = stalledAfterMs }) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/password',
    operation({
      operationId: 'unlockDocument',
      summary: 'Open a PDF with its password',
      description:
        'For a document whose `state_error` is `password_required`. The password is used once and not stored: the stored file needs none any more. Then the text is read.',
      params: z.object({ org_id: objectId, document_id: objectId }),
      body: unlockBody,
      errors: [
        'viewer_cannot_write',
        'document_not_found',
        'no_password_needed',
        'wrong_file_password',
        'damaged_file',
      ],
      response: { 200: document },
    }),
    (request) => documents(request.actor).unlock(request.params.document_id, request.body.password),
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/file',
    {
      ...operation({
        operationId: 'downloadDocument',
        summary: 'Download the original bytes',
        description:
          'One byte range is answered with 206, several separate ranges with the whole file, and a range outside the file with 416. `If-None-Match` with the `ETag` of an earlier answer is answered with 304. A download from which nothing is read for two minutes ends.',
        params: z.object({ org_id: objectId, document_id: objectId }),
        errors: ['document_not_found', 'range_not_satisfiable', 'too_many_downloads'],
        response: {
          200: bytes('The file.'),
          206: bytes('The requested range.'),
          304: z.undefined().describe('The file that the caller has is current.'),
        },
      }),
      exposeHeadRoute: true,
    },
    async (request, reply) => {
      const { document: opened, read } = await documents(request.actor).openFile(request.params.document_id);
      const size = opened.size_bytes;
      // The bytes change only when a PDF is opened with its password, but clients must revalidate each time: the right to read them might have been revoked.
      const etag = `"${opened.id}-${size}"`;
      void reply
        .header('etag', etag)
        .header('cache-control', 'private, no-cache')
        .header('vary', 'cookie, authorization');
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      const condition = request.headers['if-range'];
      const range =
        condition === undefined || condition === etag ? singleRange(request.headers.range, size) : undefined;
      if (range === 'unsatisfiable') {
        void reply.header('content-range', `bytes */${size}`);
        throw new DomainError(
          'range_not_satisfiable',
          'range_not_satisfiable',
          `The range is outside the file, which has ${size} bytes. Omit the Range header to get all of them.`,
        );
      }
      const type = shownInline.has(opened.mime_type) ? 'inline' : 'attachment';
      void reply
        .type(opened.mime_type)
        .header('content-disposition', contentDisposition(opened.document_name, { type }))
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('accept-ranges', 'bytes');
      const { start, end } = range ?? { start: 0, end: size - 1 };
      void reply.header('content-length', end - start + 1);
      if (range !== undefined) void reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
      if (request.method === 'HEAD') return reply.send();
      streams.download(request, reply);
      // While the client does not read nothing is written, and the socket times out.
      reply.raw.setTimeout(downloadStallMs, () => reply.raw.destroy());
      return reply.send(read({ start, end }));
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/picture',
    operation({
      operationId: 'getPagePicture',
      summary: 'A small picture of one page',
      description:
        'At most 1,100 pixels and 60 kB, or the scan itself if it is as small. Page 1 by default. PDF, TIFF and pictures have one. `If-None-Match` with the `ETag` of an earlier answer is answered with 304.',
      params: z.object({ org_id: objectId, document_id: objectId }),
      querystring: pageNumberQuery,
      errors: ['document_not_found', 'page_not_found', 'no_page_image', 'page_not_drawn'],
      response: {
        200: bytes('The picture.'),
        304: z.undefined().describe('The picture that the caller has is current.'),
      },
    }),
    async (request, reply) => {
      const { document_id } = request.params;
      const { page_num = 1 } = request.query;
      const service = documents(request.actor);
      const { size_bytes } = await service.get(document_id);
      const etag = pictureEtag(document_id, size_bytes, page_num);
      void reply
        .header('etag', etag)
        .header('cache-control', 'private, no-cache')
        .header('vary', 'cookie, authorization');
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      const { bytes: picture, mimeType } = await service.screenPicture(document_id, page_num);
      return reply
        .type(mimeType)
        .header('content-security-policy', "sandbox; default-src 'none'")
        .send(Buffer.from(picture));
    },
  );
};

/** The same page always looks the same: a file changes only when a PDF is opened with its password. */
const pictureEtag = (id: string, size: number, page: number) => `"${id}-${size}-p${page}"`;

function matchesEtag(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag) === true;
}

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
