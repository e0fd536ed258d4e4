import type { FastifyPluginAsync } from 'fastify';
import { DomainError, pictureTypes } from '@docwright/contract';
import { create as contentDisposition } from 'content-disposition';
import parseRange from 'range-parser';
import { routesOf } from '../../platform/http/route.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { DocumentServices } from './document-services.ts';

/** Types that a browser can show inline. Types that could run script under our origin (HTML, mail) are downloaded. */
const shownInline = new Set<string>(['application/pdf', ...pictureTypes, 'text/plain']);

/** A download from which the client reads nothing for so long ends. */
const stalledAfterMs = 120_000;

export const documentFileRoutes: FastifyPluginAsync<{
  services: Pick<DocumentServices, 'documents'>;
  streams: StreamAdmission;
  downloadStallMs?: number;
}> = async (app, { services: { documents }, streams, downloadStallMs = stalledAfterMs }) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/documents/:document_id/password', ({ actor, params, body }) =>
    documents(actor).unlock(params.document_id, body.password),
  );
  route('GET /v0/orgs/:org_id/documents/:document_id/file', { exposeHeadRoute: true }, async (request, reply) => {
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
    const range = condition === undefined || condition === etag ? singleRange(request.headers.range, size) : undefined;
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
  });

  route('GET /v0/orgs/:org_id/documents/:document_id/picture', async (request, reply) => {
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
  });
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
