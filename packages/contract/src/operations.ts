import type { z } from 'zod';
import { approvalOperations } from './approvals/approval-operations.ts';
import { auditOperations } from './approvals/audit-operations.ts';
import { permissionRuleOperations } from './approvals/permission-rule-operations.ts';
import { undoOperations } from './approvals/undo-operations.ts';
import { healthOperations } from './base/health-operations.ts';
import { eventOperations } from './delivery/event-operations.ts';
import { webhookOperations } from './delivery/webhook-operations.ts';
import { autoCreateOperations } from './documents/auto-create-operations.ts';
import { documentOperations } from './documents/document-operations.ts';
import { tagOperations } from './documents/tag-operations.ts';
import { trashOperations } from './documents/trash-operations.ts';
import { evaluationOperations } from './extractions/evaluation-operations.ts';
import { extractionOperations } from './extractions/extraction-operations.ts';
import { promptOperations } from './extractions/prompt-operations.ts';
import { releaseOperations } from './extractions/release-operations.ts';
import { resultOperations } from './extractions/result-operations.ts';
import { reviewOperations } from './extractions/review-operations.ts';
import { accessTokenOperations } from './identity/access-token-operations.ts';
import { identityOperations } from './identity/identity-operations.ts';
import { organizationOperations } from './identity/organization-operations.ts';
import { llmOperations } from './llm/llm-operations.ts';
import { usageOperations } from './llm/usage-operations.ts';
import { collectionOperations } from './pipelines/collection-operations.ts';
import { pipelineAgentOperations } from './pipelines/pipeline-agent-operations.ts';
import { sourceOperations } from './pipelines/source-operations.ts';
import { backfillOperations } from './runs/backfill-operations.ts';
import { bulkJobOperations } from './runs/bulk-job-operations.ts';
import { routeOperations } from './runs/route-operations.ts';
import { runOperations } from './runs/run-operations.ts';
import { scheduleOperations } from './runs/schedule-operations.ts';
import { schemaChatOperations } from './schemas/schema-chat-operations.ts';
import { schemaOperations } from './schemas/schema-operations.ts';
import { taskAgentOperations } from './tasks/task-agent-operations.ts';
import { taskOperations } from './tasks/task-operations.ts';

const described = {
  ...approvalOperations,
  ...auditOperations,
  ...permissionRuleOperations,
  ...undoOperations,
  ...healthOperations,
  ...eventOperations,
  ...webhookOperations,
  ...autoCreateOperations,
  ...documentOperations,
  ...tagOperations,
  ...trashOperations,
  ...evaluationOperations,
  ...extractionOperations,
  ...promptOperations,
  ...releaseOperations,
  ...resultOperations,
  ...reviewOperations,
  ...accessTokenOperations,
  ...identityOperations,
  ...organizationOperations,
  ...llmOperations,
  ...usageOperations,
  ...collectionOperations,
  ...pipelineAgentOperations,
  ...sourceOperations,
  ...backfillOperations,
  ...bulkJobOperations,
  ...routeOperations,
  ...runOperations,
  ...scheduleOperations,
  ...schemaChatOperations,
  ...schemaOperations,
  ...taskAgentOperations,
  ...taskOperations,
};

/** Every described operation, by its method and path. */
export interface Operations extends Described {}

type Described = typeof described;

/** Every described operation, by its method and path. */
export const operations: Operations = described;

/** The method and path of an operation, such as `PUT /v0/orgs/:org_id/tags/:tag_id`. */
export type OperationName = keyof Operations;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The names of the path parameters of an operation. */
export type ParamNames<Name extends OperationName> = NamesIn<Name>;

type Part<Name extends OperationName, Key extends string> =
  Operations[Name] extends Record<Key, infer Value> ? Value : undefined;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The path parameters of an operation, as the server reads them. */
export type ParamsOf<Name extends OperationName> = {
  [Param in ParamNames<Name>]: Part<Name, 'params'> extends Record<Param, infer Schema> ? OutputOf<Schema> : string;
};

/** The query of an operation, as the server reads it. */
export type ReadQueryOf<Name extends OperationName> = OutputOf<Part<Name, 'querystring'>>;
/** The body of an operation, as the server reads it. */
export type ReadBodyOf<Name extends OperationName> = OutputOf<Part<Name, 'body'>>;

/** The query of an operation, as a client writes it: what the server can do without can be left out. */
export type QueryOf<Name extends OperationName> =
  Part<Name, 'querystring'> extends infer Schema extends z.ZodType
    ? Partial<z.output<Schema>> & Pick<z.output<Schema>, RequiredKeys<z.input<Schema>> & keyof z.output<Schema>>
    : undefined;
type RequiredKeys<Given> = { [Key in keyof Given]-?: object extends Pick<Given, Key> ? never : Key }[keyof Given];
/** The body of an operation, as a client writes it. */
export type BodyOf<Name extends OperationName> =
  Part<Name, 'body'> extends infer Schema extends z.ZodType ? z.input<Schema> : undefined;

type Answers<Name extends OperationName> = Operations[Name]['response'];
type SuccessOf<Name extends OperationName> = Answers<Name>[keyof Answers<Name> & (200 | 201 | 202)];
type JsonOf<Answer> = Answer extends z.ZodType
  ? z.output<Answer>
  : Answer extends { content: { 'application/json': { schema: infer Schema } } }
    ? OutputOf<Schema>
    : never;

/** The JSON that an operation answers with; undefined if it answers with none. */
export type AnswerOf<Name extends OperationName> = [JsonOf<SuccessOf<Name>>] extends [never]
  ? undefined
  : JsonOf<SuccessOf<Name>>;
