import { collectionTools, documentAgentTools, taskAgentTools, type Tool, type Toolset } from '@docwright/agent-core';
import { maxCounted, objectId } from '@docwright/contract';
import type { JSONObject, Tool as OfferedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { askQuery, askTool } from './ask-documents.ts';

/** The role of `document_id` in a call. */
type DocumentBinding =
  /** The tool works on it: required, whether or not the tool's own schema has it. */
  | 'required'
  /** A write without a document: the conversation that shows it, and the document that the new record remembers. */
  | 'optional'
  /** Nothing is added; a `document_id` of the tool keeps its meaning. */
  | 'none';

/**
 * Questions are left out, since clients have their own ways to ask. So are plans: their grants end with the turn, and
 * each call of a client is a separate turn.
 */
const isOffered = (tool: Pick<Tool<unknown>, 'awaitsAnswers' | 'proposesPlan' | 'runsPlan'>): boolean =>
  tool.awaitsAnswers !== true && tool.proposesPlan !== true && tool.runsPlan !== true;
const offeredTo = <Services>({ tools }: Toolset<Services>) => tools.filter((tool) => isOffered(tool));

const taskNames = new Set(taskAgentTools.tools.map(({ name }) => name));

export function isTaskTool(name: string): boolean {
  return taskNames.has(name);
}

export function isCollectionTool(name: string): boolean {
  return collectionTools.get(name) !== undefined;
}

type OfferedToolTraits = Pick<Tool<unknown>, 'name' | 'effect' | 'worksOnDocument' | 'documentContent' | 'needsSight'>;

/** The offered tool of that name, if any. */
export function offeredTool(name: string): OfferedToolTraits | undefined {
  const tool = documentAgentTools.get(name) ?? collectionTools.get(name) ?? taskAgentTools.get(name);
  return tool && isOffered(tool) ? tool : undefined;
}

export function bindingOf({
  name,
  effect,
  worksOnDocument,
}: Pick<Tool<unknown>, 'name' | 'effect' | 'worksOnDocument'>): DocumentBinding {
  if (worksOnDocument === true) return 'required';
  return effect !== 'read' && !isTaskTool(name) ? 'optional' : 'none';
}

export const callQuery = z.strictObject({
  document_id: objectId.describe('The document_id that came with the turn_id.'),
  turn_id: objectId.describe('The turn_id from the answer that said the call waits for approval.'),
  wait_seconds: z
    .number()
    .min(0)
    .max(30)
    .default(0)
    .describe('Seconds to wait for the user’s decision, at most 30. Default: 0.'),
});
export const callQueryTool = 'get_call';

export const approvalsQuery = z.strictObject({
  tool: z.string().min(1).max(200).optional().describe('Returns only calls of this tool.'),
  document_id: objectId.optional().describe('Returns only calls about this document.'),
  skip: z.number().int().min(0).max(maxCounted).default(0),
  limit: z.number().int().min(1).max(100).default(20),
});
export const approvalsTool = 'list_waiting_approvals';

function offered<Services>(tool: Tool<Services>, toolset: Toolset<Services>): OfferedTool {
  const definition = toolset.definitions.find(({ function: { name } }) => name === tool.name);
  const schema = definition?.function.parameters ?? {};
  return toOfferedTool({ ...tool, schema, binding: bindingOf(tool) });
}

const documentIdDescriptions: Record<Exclude<DocumentBinding, 'none'>, string> = {
  required: 'The document to work on, by id. The tool’s “this document” is this one.',
  optional:
    'A document that this is done for, by id: the call then stands in its conversation and what is created remembers it. Leave out for the organization as a whole.',
};

function toOfferedTool({
  name,
  description,
  effect,
  schema,
  binding,
}: Pick<Tool<unknown>, 'name' | 'description' | 'effect'> & {
  schema: Record<string, unknown>;
  binding: DocumentBinding;
}): OfferedTool {
  // zod's JSON Schema is JSON.
  const { $schema: _, properties = {}, required = [], ...rest } = schema as JSONObject;
  const { document_id: __, ...own } = properties as JSONObject;
  const ownProperties = binding === 'none' ? (properties as JSONObject) : own;
  const document_id =
    binding === 'none' ? {} : { document_id: { ...idSchema, description: documentIdDescriptions[binding] } };
  const title = titleOf(name);
  return {
    name,
    title,
    description,
    inputSchema: {
      ...rest,
      type: 'object',
      properties: { ...document_id, ...ownProperties },
      required: [...(binding === 'required' ? ['document_id'] : []), ...(required as string[])],
    },
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      destructiveHint: effect !== 'read',
      openWorldHint: false,
    },
  };
}

const idSchema = { type: 'string', pattern: '^[0-9a-fA-F]{24}$' };

/** `get_ocr_text` as `Get OCR text`. */
function titleOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\bocr\b/u, 'OCR')
    .replace(/\bllm\b/u, 'LLM');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The tools of the document agent, of collections and of the task agent, each defined once for all agents. */
export const offeredTools: readonly OfferedTool[] = [
  ...offeredTo(documentAgentTools).map((tool) => offered(tool, documentAgentTools)),
  ...offeredTo(collectionTools).map((tool) => offered(tool, collectionTools)),
  ...offeredTo(taskAgentTools).map((tool) => offered(tool, taskAgentTools)),
  toOfferedTool({
    name: callQueryTool,
    description:
      'Returns the outcome of a call that was answered with status awaiting_approval: whether it is pending, was rejected, or ran, and its result. Writes nothing.',
    effect: 'read',
    schema: z.toJSONSchema(callQuery, { io: 'input' }),
    binding: 'none',
  }),
  toOfferedTool({
    name: approvalsTool,
    description:
      'Lists the user’s pending approvals, over all documents: of their own conversations, and of the runs and schedules that they can decide on. Decides nothing: the user decides in the inbox of the web app.',
    effect: 'read',
    schema: z.toJSONSchema(approvalsQuery, { io: 'input' }),
    binding: 'none',
  }),
  toOfferedTool({
    name: askTool,
    description:
      'Answers a question over many documents (“what did we pay Contoso, by currency?”) from results and pages. Each sentence of `claims` was checked against what it cites, without a model: tell the user what is unsupported, never as the rest. The check is a filter and not a proof. `coverage` says which documents lack a value.',
    effect: 'read',
    schema: z.toJSONSchema(askQuery, { io: 'input' }),
    binding: 'none',
  }),
];
