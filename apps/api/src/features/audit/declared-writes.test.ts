import type { AuditEntry, Document, DocumentBulk, Prompt, Schema, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/test-client.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { listDeclaredTools } from './declared-writes.ts';

let harness: TestApp;
/** The admin of an organization, with an access token. */
let client: TestClient;
beforeAll(async () => {
  harness = await startTestApp();
  const owner = await harness.addOrganization();
  const { body } = await owner.post<{ token: string }>('./access_tokens', { name: 'CI', lifetime_days: 0 });
  client = createTestClient(harness.app, {
    user: { id: owner.userId, email: owner.email, name: 'CI' } as never,
    organization: { id: owner.organizationId },
    accessToken: body.token,
    role: 'admin',
  });
});
afterAll(() => harness.stop());

/** Writes that no test below sends: the declared write behind each, or who records it. */
const recordedElsewhere: Record<string, string> = {
  createTask: 'add_task',
  updateTask: 'update_task',
  completeTask: 'update_task',
  deleteTask: 'delete_task',
  runExtraction: 'run_extraction',
  updateExtractionField: 'update_extraction_field',
  verifyExtraction: 'verify_extraction',
  restoreExtractionVersion: 'restore_extraction',
  decideReview: 'review_values',
  releaseResult: 'release_result',
  splitDocument: 'split_document',
  unlockDocument: 'unlock_document',
  settleRouting: 'update_document',
  stopDocumentBulk: 'stop_bulk_change',
  backfillPrompt: 'backfill',
  saveSchemaFromColumns: 'create_schema',
};

/** Writes that record their own entries, as their decisions consist of several writes. */
const recordedByThemselves = [
  'acceptProposal',
  'rejectProposal',
  'acceptProposalOfKind',
  'rejectProposalOfKind',
  'undoTurn',
  'undoWrite',
  'chat',
  'decideTurn',
  'stopTurn',
  'evaluateCall',
  'decideApprovals',
  'callMcp',
  'chatAboutTasks',
  'undoRun',
  'ask',
  'decideAskTurn',
  'stopAskTurn',
  'sendAgentMessage',
  'startAutoCreate',
  'createRun',
  'runSchedule',
  'designSchema',
];

/** Posts that only read. */
const reads = [
  'validateAgainstSchema',
  'simulatePermissionRule',
  'countMatchingDocuments',
  'estimateDocumentBulk',
  'previewSchedule',
  'estimateEvaluation',
  'estimateExtraction',
  'searchCollection',
  'discoverModels',
  'simulateRoutes',
];

/** Settings, accounts, conversations and work in progress: not writes to what the log is about. */
const notLogged = [
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'redeliverEvent',
  'redeliverEvents',
  'saveResultView',
  'deleteResultView',
  'createOrganization',
  'updateOrganization',
  'addMember',
  'updateMember',
  'removeMember',
  'signOutMember',
  'revokeInvitation',
  'createAccessToken',
  'deleteAccessToken',
  'putProvider',
  'deleteProvider',
  'setBudget',
  'createPermissionRule',
  'deletePermissionRule',
  'createSchedule',
  'updateSchedule',
  'deleteSchedule',
  'syncSource',
  'createRoute',
  'updateRoute',
  'deleteRoute',
  'orderRoutes',
  'createSource',
  'updateSource',
  'testConnector',
  'deleteSource',
  'createThread',
  'updateThread',
  'deleteThread',
  'stopRun',
  'stopExtraction',
  'createAskThread',
  'updateAskThread',
  'deleteAskThread',
  'createEvaluation',
  'stopEvaluation',
  'updateCollection',
  'stopIndexing',
  'deleteCollection',
  'createAgentConversation',
  'abandonAgentConversation',
  'stopAgentAnswer',
  'resolveUncertainty',
  'applyAgentConversation',
  'grantOAuthRequest',
  'acceptInvitation',
  'endMcpSession',
];

const sent = new Set<string>();
/** The number of entries so far. */
let entryCount = 0;

/** Sends one write, which must leave one entry. */
async function write<Body>(
  operation: string,
  tool: string,
  ...[method, path, payload]: [Parameters<TestClient['request']>[0], string, object?]
): Promise<Body> {
  const answer = await client.request<Body>(method, path, payload ? { payload } : {});
  expect(answer.status, `${operation}: ${answer.text}`).toBeLessThan(300);
  const { entries, total_count } = (await client.get<{ entries: AuditEntry[]; total_count: number }>('./audit?limit=3'))
    .body;
  const added = entries.slice(0, total_count - entryCount);
  entryCount = total_count;
  expect(added, operation).toEqual([
    expect.objectContaining({
      tool,
      kind: 'executed',
      success: true,
      actor: client.userId,
      origin: { kind: 'api' },
      token: { id: expect.any(String), name: 'CI' },
    }),
  ]);
  sent.add(operation);
  return answer.body;
}

const newest = async () => (await client.get<{ entries: AuditEntry[] }>('./audit?limit=1')).body.entries[0]!;

it('has an entry for every write of the API, with the access token', async () => {
  const { tag_id } = await write<Tag>('createTag', 'create_tag', 'POST', './tags', { name: 'Due' });
  await write('updateTag', 'update_tag', 'PUT', `./tags/${tag_id}`, { name: 'Paid' });
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'empty', strict: true, schema } };
  const { schema_id } = await write<Schema>('createSchema', 'create_schema', 'POST', './schemas', {
    name: 'Empty',
    response_format,
  });
  await write('updateSchema', 'update_schema', 'PUT', `./schemas/${schema_id}`, { name: 'Nothing' });
  await write('deleteSchema', 'delete_schema', 'DELETE', `./schemas/${schema_id}`);
  const prompt = { name: 'Read', content: 'Read it.' };
  const { prompt_id } = await write<Prompt>('createPrompt', 'create_prompt', 'POST', './prompts', prompt);
  await write('updatePrompt', 'update_prompt', 'PUT', `./prompts/${prompt_id}`, { name: 'Read all' });
  await write('deletePrompt', 'delete_prompt', 'DELETE', `./prompts/${prompt_id}`);

  const content = Buffer.from('Total: 5').toString('base64');
  const { documents } = await write<{ documents: Document[] }>(
    'uploadDocuments',
    'upload_document',
    'POST',
    './documents',
    { documents: [{ name: 'a.txt', content }] },
  );
  const [{ id }] = documents as [Document];
  const documentPath = `./documents/${id}`;
  await write('updateDocument', 'update_document', 'PATCH', documentPath, { document_name: 'b.txt' });
  await write('deleteDocument', 'delete_document', 'DELETE', documentPath);
  await write('restoreDocument', 'restore_document', 'POST', `${documentPath}/restore`);
  for (const [action, fields] of [
    ['untag', { tag_ids: [tag_id] }],
    ['delete', {}],
  ] as const) {
    const job = await write<DocumentBulk>('createDocumentBulk', 'bulk_change', 'POST', './documents/bulk', {
      action,
      document_ids: [id],
      ...fields,
    });
    await harness.services.bulk.work.work(new AbortController().signal);
    expect(JSON.parse((await newest()).arguments)).toMatchObject({ action, bulk_id: job.id, documents: 1 });
    if (action === 'untag') {
      await write('undoDocumentBulk', 'undo_bulk_change', 'POST', `./documents/bulk/${job.id}/undo`);
      await harness.services.bulk.work.work(new AbortController().signal);
    }
  }
  await write('purgeDocument', 'purge_document', 'DELETE', `./documents/trash/${id}`);
  await write('deleteTag', 'delete_tag', 'DELETE', `./tags/${tag_id}`);

  const { paths } = JSON.parse((await harness.app.inject({ url: '/docs/json' })).body) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const writing = Object.entries(paths)
    .filter(([path]) => !/^\/v0\/(auth|oauth|me)\b/.test(path))
    .flatMap(([, methods]) => Object.entries(methods))
    .flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId]));
  const known = [...Object.keys(recordedElsewhere), ...recordedByThemselves, ...reads, ...notLogged];
  const untested = writing.filter((operation) => !sent.has(operation) && !known.includes(operation));
  expect(untested, 'Send these with `write` above, or name them in the list that fits.').toEqual([]);
  const outdated = known.filter((operation) => !writing.includes(operation) || sent.has(operation));
  expect(outdated, 'Remove these from the lists: no route has them, or `write` sends them.').toEqual([]);
  const undeclared = Object.values(recordedElsewhere).filter((tool) => !listDeclaredTools().includes(tool));
  expect(undeclared, 'No service declares these with `declareWrites`.').toEqual([]);
});
