import {
  csvType,
  DomainError,
  extraction,
  extractionCsvLines,
  extractionList,
  extractionVersion,
  extractionVersionList,
  objectId,
  pageQuery,
  patchExtractionBody,
  runExtractionBody,
  verificationBody,
  modelFailures,
  type Extraction,
} from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import { eachInSteps, inTurns } from '../../platform/long-values/in-turns.ts';
import type { Actor } from '../identity/index.ts';
import type { ExtractionService } from './extraction-service.ts';

const operation = operationsOf('extractions');
const documentPath = z.object({ org_id: objectId, document_id: objectId });
const extractionPath = documentPath.extend({ prompt_revid: objectId });
const versionPath = extractionPath.extend({ version: z.coerce.number().int().min(1).max(1_000_000_000) });

export const extractionRoutes: FastifyPluginAsyncZod<{
  services: { extractions: (actor: Actor) => ExtractionService };
}> = async (app, { services: { extractions } }) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/extractions',
    operation({
      operationId: 'runExtraction',
      summary: 'Run an extraction',
      description:
        'Without `prompt_revid` the newest prompt that shares a tag with the document is used, else the newest one created in its chat, else the answer is 400 `no_prompt`. An answer that does not fit the schema is sent back to the model once; remaining errors are in `validation_errors`. A failed run (502) keeps the previous result. A result that a user has edited or verified is replaced only if `replace` allows it (409 `result_edited`, `result_verified`); the previous version is always kept. A document that is too long for one request is read in pieces, several at once, with at most MAX_EXTRACTION_REQUESTS requests (400 `extraction_too_large` with the number needed). A piece is split and asked for again if its answer was cut off or has fewer rows than its pages show. `is_complete` and `issues` report missing values. If the server dies or stops (503), another one, or the same one after a restart, resumes with the missing pieces; `GET …/{prompt_revid}/events` follows it.',
      params: documentPath,
      body: runExtractionBody.nullish().meta({ examples: [{ prompt_revid: '6650f1c2a4b3d2e1f0a9b8c7' }] }),
      errors: [
        'model_not_enabled',
        'no_prompt',
        'unknown_reference',
        'viewer_cannot_write',
        'document_not_found',
        'document_has_no_text',
        'document_not_read_yet',
        'extraction_interrupted',
        'extraction_stopped',
        'extraction_too_large',
        'result_edited',
        'result_verified',
        'server_stopping',
        ...modelFailures,
      ],
      response: { 201: extraction },
    }),
    async (request, reply) => {
      const { document_id } = request.params;
      const { prompt_revid, replace } = request.body ?? {};
      const run = extractions(request.actor).run(document_id, prompt_revid, undefined, app.closing, replace);
      const result = await run.catch((error: unknown) => {
        if (!app.closing.aborted) throw error;
        throw new DomainError(
          'not_ready',
          'server_stopping',
          'The server is stopping. The extraction resumes by itself when a server is available.',
        );
      });
      return reply.code(201).send(result);
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/extractions',
    operation({
      operationId: 'listExtractions',
      summary: 'List the results of a document, last changed first',
      params: documentPath,
      querystring: pageQuery,
      errors: ['document_not_found'],
      response: { 200: extractionList },
    }),
    async (request) => extractions(request.actor).list(request.params.document_id, request.query),
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid',
    operation({
      operationId: 'getExtraction',
      summary: 'Get a result',
      description: csvDescription,
      params: extractionPath,
      errors: ['document_not_found', 'extraction_not_found'],
      response: { 200: jsonOrCsv(extraction) },
    }),
    async (request, reply) => {
      const { document_id, prompt_revid } = request.params;
      const found = await extractions(request.actor).get(document_id, prompt_revid);
      return wantsCsv(request) ? await sendCsv(reply, found) : found;
    },
  );

  app.patch(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid',
    operation({
      operationId: 'updateExtractionField',
      summary: 'Set one field of a result',
      description:
        '`path` is dotted with indexes (`line_items.0.amount`); the index after the last one appends. The value must fit the schema, and `base_version` must be the current version. The result is no longer verified.',
      params: extractionPath,
      body: patchExtractionBody.meta({ examples: [{ path: 'line_items.0.amount', value: 120.5, base_version: 1 }] }),
      errors: [
        'invalid_value',
        'unknown_path',
        'viewer_cannot_write',
        'document_not_found',
        'extraction_not_found',
        'version_conflict',
        'result_too_large',
      ],
      response: { 200: extraction },
    }),
    async (request) => {
      const { document_id, prompt_revid } = request.params;
      const { path, value, base_version } = request.body;
      return await extractions(request.actor).updateField(document_id, prompt_revid, { path, value, base_version });
    },
  );

  app.put(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/verification',
    operation({
      operationId: 'verifyExtraction',
      summary: 'Mark a result as verified or unverified',
      description:
        '`base_version` is the version that the user saw: if the result has changed since, nothing is marked. A verification says which values were shown to the user: all (`seen`), those of `seen_paths`, or, by default, none. Values that were neither decided nor seen are verified with `confirmed: "unseen"`: they count apart in the accuracy, and are not used to calibrate risks, as examples or as audited values.',
      params: extractionPath,
      body: verificationBody,
      errors: ['viewer_cannot_write', 'document_not_found', 'extraction_not_found', 'version_conflict'],
      response: { 200: extraction },
    }),
    async (request) => {
      const { document_id, prompt_revid } = request.params;
      const { is_verified, ...look } = request.body;
      return await extractions(request.actor).setVerified(document_id, prompt_revid, is_verified, undefined, look);
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions',
    operation({
      operationId: 'listExtractionVersions',
      summary: 'List every version of a result',
      description:
        'Newest first, including the current one (`is_current`), each with its author: a person, a chat or a run. Versions are kept as long as the document. Only a single version includes `grounding`.',
      params: extractionPath,
      querystring: pageQuery,
      errors: ['document_not_found', 'extraction_not_found'],
      response: { 200: extractionVersionList },
    }),
    async (request) => {
      const { document_id, prompt_revid } = request.params;
      return await extractions(request.actor).versions(document_id, prompt_revid, request.query);
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version',
    operation({
      operationId: 'getExtractionVersion',
      summary: 'Get one version of a result',
      description: csvDescription,
      params: versionPath,
      errors: ['document_not_found', 'version_not_found'],
      response: { 200: jsonOrCsv(extractionVersion) },
    }),
    async (request, reply) => {
      const { document_id, prompt_revid, version } = request.params;
      const found = await extractions(request.actor).version(document_id, prompt_revid, version);
      return wantsCsv(request) ? await sendCsv(reply, found) : found;
    },
  );

  app.post(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version/restore',
    operation({
      operationId: 'restoreExtractionVersion',
      summary: 'Restore a version of a result',
      description:
        'Creates a new version with its values, places, edits and verification; the current one stays among the versions.',
      params: versionPath,
      errors: ['viewer_cannot_write', 'document_not_found', 'version_not_found'],
      response: { 200: extraction },
    }),
    async (request) => {
      const { document_id, prompt_revid, version } = request.params;
      return await extractions(request.actor).restore(document_id, prompt_revid, version);
    },
  );
};

const csvDescription =
  'With `Accept: text/csv`, one line for each value, as `docwright extraction --csv` prints it: `path,value,page,match,quote`. If the result has issues, comment lines (`# `) come first and a column `issues` last.';

function jsonOrCsv<Schema extends z.ZodType>(schema: Schema) {
  return {
    description: 'The result, or its values as CSV.',
    content: { 'application/json': { schema }, 'text/csv': { schema: z.string() } },
  };
}

function wantsCsv({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/csv') === true;
}

async function sendCsv(
  reply: FastifyReply,
  found: Pick<Extraction, 'result' | 'grounding' | 'issues' | 'is_complete'>,
): Promise<FastifyReply> {
  let lines: string[] = [];
  const parts: Buffer[] = [];
  const write = (line: string): void => {
    lines.push(line);
    if (lines.length < linesOfPart) return;
    parts.push(Buffer.from(`${lines.join('\r\n')}\r\n`));
    lines = [];
  };
  await inTurns(eachInSteps(extractionCsvLines(found), write));
  return reply.type(csvType).send(Buffer.concat([...parts, Buffer.from(lines.join('\r\n'))]));
}

const linesOfPart = 500;
