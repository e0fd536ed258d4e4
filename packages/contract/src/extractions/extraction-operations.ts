import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { modelFailures } from '../base/error-codes.ts';
import { pageQuery } from '../base/fields.ts';
import {
  estimateExtractionBody,
  extraction,
  extractionEstimate,
  extractionEvent,
  extractionList,
  extractionProgress,
  extractionVersion,
  extractionVersionList,
  patchExtractionBody,
  restoreVersionBody,
  runExtractionBody,
  verificationBody,
} from './extractions.ts';

const csvDescription =
  'With `Accept: text/csv`, one line for each value, as `docwright extraction --csv` prints it: `path,value,page,match,quote`. If the result has issues, comment lines (`# `) come first and a column `issues` last.';
function jsonOrCsv<Schema extends z.ZodType>(schema: Schema) {
  return {
    description: 'The result, or its values as CSV.',
    content: { 'application/json': { schema }, 'text/csv': { schema: z.string() } },
  };
}

export const extractionOperations = describeOperations('extractions', {
  'POST /v0/orgs/:org_id/documents/:document_id/extractions': {
    operationId: 'runExtraction',
    summary: 'Run an extraction',
    description:
      'Without `prompt_revid` the newest prompt that shares a tag with the document is used, else the newest one created in its chat, else the answer is 400 `no_prompt`. An answer that does not fit the schema is sent back to the model once; remaining errors are in `validation_errors`. A failed run (502) keeps the previous result. A result that a user has edited or verified is replaced only if `replace` allows it (409 `result_edited`, `result_verified`); the previous version is always kept. With `base_version`, no result is replaced that the user did not see. A document that is too long for one request is read in pieces, several at once, with at most MAX_EXTRACTION_REQUESTS requests (400 `extraction_too_large` with the number needed). A piece is split and asked for again if its answer was cut off or has fewer rows than its pages show. `is_complete` and `issues` report missing values. If the server dies or stops (503), another one, or the same one after a restart, resumes with the missing pieces; `GET …/{prompt_revid}/events` follows it.',
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
      'version_conflict',
      'server_stopping',
      ...modelFailures,
    ],
    response: { 201: extraction },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/extractions': {
    operationId: 'listExtractions',
    summary: 'List the results of a document, last changed first',
    querystring: pageQuery,
    errors: ['document_not_found'],
    response: { 200: extractionList },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid': {
    operationId: 'getExtraction',
    summary: 'Get a result',
    description: csvDescription,
    errors: ['document_not_found', 'extraction_not_found'],
    response: { 200: jsonOrCsv(extraction) },
  },
  'PATCH /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid': {
    operationId: 'updateExtractionField',
    summary: 'Set one field of a result',
    description:
      '`path` is dotted with indexes (`line_items.0.amount`); the index after the last one appends. The value must fit the schema, and `base_version` must be the current version. The result is no longer verified. A value that stands already (the same JSON, in objects in any order) changes nothing: it makes no version, and the result stays verified. A number that a double cannot hold is sent as a text of its digits (`"12345678901234567890"`): where the schema takes no text, it is stored as that number, with its digits as `raw` of its place.',
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
  },
  'PUT /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/verification': {
    operationId: 'verifyExtraction',
    summary: 'Mark a result as verified or unverified',
    description:
      '`base_version` is the version that the user saw: if the result has changed since, nothing is marked. Without it, only what the caller has verified can be marked as not verified: if somebody else has verified the result, the answer is 409 `version_conflict`, too. A verification says which values were shown to the user: all (`seen`), those of `seen_paths`, or, by default, none. Values that were neither decided nor seen are verified with `confirmed: "unseen"`: they count apart in the accuracy, and are not used to calibrate risks, as examples or as audited values.',
    body: verificationBody,
    errors: ['viewer_cannot_write', 'document_not_found', 'extraction_not_found', 'version_conflict'],
    response: { 200: extraction },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions': {
    operationId: 'listExtractionVersions',
    summary: 'List every version of a result',
    description:
      'Newest first, including the current one (`is_current`), each with its author: a person, a chat or a run. Versions are kept as long as the document. Only a single version includes `grounding`.',
    querystring: pageQuery,
    errors: ['document_not_found', 'extraction_not_found'],
    response: { 200: extractionVersionList },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version': {
    operationId: 'getExtractionVersion',
    summary: 'Get one version of a result',
    description: csvDescription,
    params: { version: z.coerce.number().int().min(1).max(1_000_000_000) },
    errors: ['document_not_found', 'version_not_found'],
    response: { 200: jsonOrCsv(extractionVersion) },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/versions/:version/restore': {
    operationId: 'restoreExtractionVersion',
    summary: 'Restore a version of a result',
    description:
      'Creates a new version with its values, places, edits and verification; the current one stays among the versions. If it equals the current one, nothing changes. With `base_version`, no version follows one that the user did not see.',
    params: { version: z.coerce.number().int().min(1).max(1_000_000_000) },
    body: restoreVersionBody.nullish().meta({ examples: [{ base_version: 3 }] }),
    errors: ['viewer_cannot_write', 'document_not_found', 'version_not_found', 'version_conflict'],
    response: { 200: extraction },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/extractions/estimate': {
    operationId: 'estimateExtraction',
    summary: 'Estimate what an extraction would take',
    description:
      'Nothing runs. `requests` is one for a document that fits into one request; a long one is read in pieces, and each is counted twice for a prompt that reads twice. `spu_estimated` counts each request once: answers that do not fit the schema and pieces that are asked again come on top.',
    body: estimateExtractionBody.nullish(),
    errors: [
      'model_not_enabled',
      'no_prompt',
      'unknown_reference',
      'document_not_found',
      'document_has_no_text',
      'document_not_read_yet',
    ],
    response: { 200: extractionEstimate },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/events': {
    operationId: 'followExtraction',
    summary: 'Follow an extraction (SSE)',
    description:
      'Events `progress` while it runs, each with the pieces that were read since the last one, and one `end` with `is_complete` and `issues`. For an extraction that has ended, only `end` is sent. The stream can be opened up to three seconds before the extraction starts.',
    errors: ['document_not_found', 'extraction_not_found', 'too_many_streams'],
    response: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: extractionEvent } } },
    },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/stop': {
    operationId: 'stopExtraction',
    summary: 'Stop an extraction',
    description:
      'The run ends within about a second, whichever process works on it, and answers its own request with 409 `extraction_stopped`. Nothing of it is kept: a former result stays as it was.',
    errors: ['viewer_cannot_write', 'document_not_found', 'extraction_not_running'],
    response: { 200: extractionProgress },
  },
});
