import {
  DomainError,
  filePassword,
  lostDigits,
  parseExactJson,
  idListQuery,
  maxFiles,
  metadata,
  onAsk,
  type uploadBody,
} from '@docwright/contract';
import type { FastifyRequest, FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { routesOf } from '../../../platform/http/route.ts';
import { requireWriter } from '../../identity/index.ts';
import { fileTooLarge, type StoredFile, type Upload, type UploadedFile, type UploadService } from './upload-service.ts';

export const uploadRoutes: FastifyPluginAsync<{
  services: { uploads: UploadService };
  maxUploadBytes: number;
}> = async (app, { services: { uploads }, maxUploadBytes }) => {
  const route = routesOf(app);
  route(
    'POST /v0/orgs/:org_id/documents',
    {
      // Refuses viewers before they send the files.
      preParsing: async (request) => requireWriter(request.actor),
      // Base64 is a third longer than the bytes; the rest is for names and metadata.
      bodyLimit: Math.ceil(maxUploadBytes * 1.4) + 1024 * 1024,
    },
    async (request, reply) => {
      const upload = uploads(request.actor);
      try {
        const files = request.isMultipart()
          ? await fromMultipart(request, upload, maxUploadBytes)
          : await fromJson(request.body, upload);
        return await reply.code(201).send({ documents: await upload.finish(files, request.query.batch_size) });
      } catch (error) {
        await upload.abandon();
        throw error;
      }
    },
  );
};

async function fromJson(body: z.infer<typeof uploadBody> | null | undefined, upload: Upload): Promise<UploadedFile[]> {
  const files: UploadedFile[] = [];
  for (const [index, given] of (body?.documents ?? []).entries()) {
    const bytes = Buffer.from(given.content, 'base64');
    if (!isBase64Of(given.content, bytes)) {
      const message = `The content of document ${index + 1} is not base64.`;
      throw new DomainError('unprocessable', 'not_base64', message);
    }
    const stored = await upload.store(given.name, bytes, given.password);
    files.push({
      ...stored,
      tag_ids: given.tag_ids ?? [],
      metadata: given.metadata ?? {},
      auto_create: given.auto_create,
      on_ask: given.on_ask,
      include_attachments: given.include_attachments,
    });
  }
  return files;
}

/** Node's decoder skips what is not base64; the length shows whether it skipped anything. */
function isBase64Of(text: string, bytes: Buffer): boolean {
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  return Math.floor((digits * 3) / 4) === bytes.byteLength;
}

type Part = { name: string; value: string } | { name: string; bytes: Uint8Array };

/** Browsers escape a quote and line ends in the name of a file, and no other character (WHATWG, multipart/form-data). */
const unescapedName = (name: string): string => name.replaceAll('%22', '"').replaceAll(/%0D%0A|%0D|%0A/gu, ' ');

async function* readParts(request: FastifyRequest, fileSize: number): AsyncGenerator<Part> {
  const limits = { fileSize, files: maxFiles, fields: 20, fieldSize: 1024 * 1024 };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
        yield { name: part.fieldname, value };
        continue;
      }
      const bytes = await part.toBuffer();
      // The library throws only if the limit falls inside one received chunk.
      const name = unescapedName(part.filename);
      if (part.file.truncated) throw fileTooLarge(fileSize, name);
      yield { name, bytes };
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'FST_FILES_LIMIT') {
      const message = `One upload can have ${maxFiles} files at most. Send the others in further requests.`;
      throw new DomainError('too_large', 'too_many_files', message);
    }
    // Other errors come from the parser, which could not read the body.
    if (error instanceof DomainError || (error instanceof Error && 'statusCode' in error)) throw error;
    const message =
      'The body is not complete multipart/form-data: it ends early, or its content type names no boundary.';
    throw new DomainError('invalid', 'malformed_multipart', message);
  }
}

async function fromMultipart(request: FastifyRequest, upload: Upload, fileSize: number): Promise<UploadedFile[]> {
  const stored: StoredFile[] = [];
  const fields = new Map<string, string>();
  for await (const part of readParts(request, fileSize)) {
    if ('bytes' in part) {
      stored.push(
        await upload.store(
          part.name,
          part.bytes,
          readField(fields, 'password', filePassword, (text) => text),
        ),
      );
      continue;
    }
    if (part.name === 'password' && stored.length > 0) {
      throw new DomainError('unprocessable', 'invalid_field', 'Send the field password before the files.');
    }
    fields.set(part.name, part.value);
  }
  const tag_ids =
    readField(fields, 'tag_ids', idListQuery, (text) => (text.startsWith('[') ? JSON.parse(text) : text)) ?? [];
  const given = readField(fields, 'metadata', metadata, parseMetadata) ?? {};
  const auto_create = readField(fields, 'auto_create', z.boolean(), (text) => JSON.parse(text));
  const on_ask = readField(fields, 'on_ask', onAsk, (text) => text);
  const include_attachments = readField(fields, 'include_attachments', z.boolean(), (text) => JSON.parse(text));
  return stored.map((file) => ({ ...file, tag_ids, metadata: given, auto_create, on_ask, include_attachments }));
}

function parseMetadata(text: string): unknown {
  const exact = parseExactJson(text);
  const lost = lostDigits(exact);
  if (lost !== undefined) throw new DomainError('unprocessable', 'invalid_field', `The field metadata: ${lost}`);
  return exact.value;
}

const fieldFormats = {
  metadata: 'a JSON object',
  tag_ids: 'tag ids, comma separated or as a JSON list',
  auto_create: 'true or false',
  on_ask: 'deny or park',
  include_attachments: 'true or false',
  password: 'at most 500 characters',
};

function readField<Value>(
  fields: Map<string, string>,
  name: keyof typeof fieldFormats,
  schema: z.ZodType<Value>,
  parse: (text: string) => unknown,
): Value | undefined {
  // A password can begin with a space.
  const text = name === 'password' ? fields.get(name) : fields.get(name)?.trim();
  if (text === undefined || text === '') return undefined;
  try {
    return schema.parse(parse(text));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // Custom rules of the schema have their own messages; the first sentence covers a wrong type and invalid JSON.
    const custom = error instanceof z.ZodError ? error.issues.find(({ code }) => code === 'custom') : undefined;
    const more = custom === undefined ? '' : ` ${custom.message}`;
    throw new DomainError('unprocessable', 'invalid_field', `The field ${name} takes ${fieldFormats[name]}.${more}`);
  }
}
