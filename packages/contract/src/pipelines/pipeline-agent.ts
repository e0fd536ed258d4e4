import { z } from 'zod';
import { jsonObject, objectId, pageInfo, recordId, shownName, timestamp } from '../base/fields.ts';
import { smallJsonObject } from '../base/stored-json.ts';
import { pipeline } from './pipeline.ts';

/** An id of `GET …/llm/models`. Default: the last chosen model, otherwise the default model. */
const chosenModel = z.string().min(1).max(200).optional();

export const createAgentConversationBody = z.strictObject({ source_id: objectId, model: chosenModel });
export type CreateAgentConversationBody = z.infer<typeof createAgentConversationBody>;

export const agentConversationStatus = z.enum(['active', 'applied', 'abandoned']);
export type AgentConversationStatus = z.infer<typeof agentConversationStatus>;

export const uncertaintySeverity = z.enum(['blocking', 'notable', 'info']);
export type UncertaintySeverity = z.infer<typeof uncertaintySeverity>;

/** An uncertainty as a sub-agent reports it. */
export const foundUncertainty = z.object({
  severity: uncertaintySeverity,
  message: z.string().trim().min(1).max(1000),
  context: smallJsonObject(16 * 1024).optional(),
});
export type FoundUncertainty = z.infer<typeof foundUncertainty>;

/** An uncertainty of an agent. An unresolved blocking one prevents the pipeline from being applied. */
export const uncertainty = z.object({
  id: z.string(),
  severity: uncertaintySeverity,
  message: z.string(),
  context: jsonObject.nullable(),
  resolved: z.boolean(),
  resolved_by: z.string().nullable(),
  created_at: timestamp,
});
export type Uncertainty = z.infer<typeof uncertainty>;

/** The result of a sub-agent. */
export const subAgentResult = z.object({
  success: z.boolean(),
  data: jsonObject,
  uncertainties: z.array(foundUncertainty).max(20),
  summary: z.string().max(4000),
});
export type SubAgentResult = z.infer<typeof subAgentResult>;

/** A call of the agent. `result` is the tool's result, or `{ "error": "…" }`. */
/** The number of characters of the answer that were written before a step; absent in answers of earlier versions. */
const textBefore = z.number().int().optional();

export const agentToolCall = z.object({
  tool_name: z.string(),
  arguments: jsonObject,
  result: z.unknown(),
  text_before: textBefore,
});
export type AgentToolCall = z.infer<typeof agentToolCall>;

/** The recorded work of a sub-agent. */
const subAgentRecord = z.object({
  agent_id: z.string(),
  /** Plain sentences, the latest last. Long lists are shortened at the beginning. */
  steps: z.array(z.string()),
  success: z.boolean(),
  summary: z.string(),
  text_before: textBefore,
});

export const agentMessage = z.object({
  id: recordId,
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  /** Empty for a user's message. */
  tool_calls: z.array(agentToolCall),
  /** The sub-agents of the message, in the order of their start. */
  subagents: z.array(subAgentRecord),
  created_at: timestamp,
});
export type AgentMessage = z.infer<typeof agentMessage>;

export const createdAgentConversation = z.object({
  id: recordId,
  status: agentConversationStatus,
  source_id: recordId,
  created_at: timestamp,
});

/** The running answer, which any process can return, for a reload or another tab. At most two seconds old. */
export const agentMessageProgress = z.object({
  started_at: timestamp,
  /** The user's message. */
  message: z.string(),
  /** The answer so far. */
  text: z.string(),
  /** In the order of their start; `success` is null while one runs. */
  tool_calls: z.array(
    z.object({
      call_id: z.string(),
      name: z.string(),
      arguments: jsonObject,
      success: z.boolean().nullable(),
      text_before: textBefore,
    }),
  ),
  /** `success` and `summary` are null while one works. */
  subagents: z.array(
    subAgentRecord.extend({
      success: z.boolean().nullable(),
      summary: z.string().nullable(),
      /** Progress of the latest step, if it can be counted. */
      done: z.number().int().nullable(),
      total: z.number().int().nullable(),
    }),
  ),
});
export type AgentMessageProgress = z.infer<typeof agentMessageProgress>;

/** The agent's request to apply the pipeline, which the user does with `POST …/apply`. */
export const agentQuestion = z.object({
  question: z.literal('apply_pipeline'),
  message: z.string(),
  collection_name: z.string(),
});
export type AgentQuestion = z.infer<typeof agentQuestion>;

/** Messages expire after a time without activity; the other fields do not. */
export const agentConversation = createdAgentConversation.extend({
  /** Whether some process is answering a message. */
  is_running: z.boolean(),
  /** The chosen model; null for the default. */
  model: z.string().nullable(),
  /** Null when no message is being answered. */
  progress: agentMessageProgress.nullable(),
  collection_id: recordId.nullable(),
  current_pipeline: pipeline.nullable(),
  /** The last result of the source analyzer. */
  source_analysis: jsonObject.nullable(),
  /** The last result of the pipeline validator, with the tested `pipeline`. */
  validation: jsonObject.nullable(),
  uncertainties: z.array(uncertainty),
  /** The oldest first; empty once they have expired. */
  messages: z.array(agentMessage),
  summary: z.string().nullable(),
  /** The agent's question. It is valid until the next message, or until the pipeline is applied or discarded. */
  question: agentQuestion.nullable(),
  updated_at: timestamp,
});
export type AgentConversation = z.infer<typeof agentConversation>;
export type ListedAgentConversation = Omit<AgentConversation, 'messages' | 'progress'>;
export const agentConversationList = pageInfo.extend({
  conversations: z.array(agentConversation.omit({ messages: true, progress: true })),
});

export const agentMessageBody = z.strictObject({
  message: z.string().trim().min(1, 'Write a message.').max(10_000),
  model: chosenModel,
});
export type AgentMessageBody = z.infer<typeof agentMessageBody>;

export const agentMessageAnswer = z.object({
  text: z.string(),
  /** In the order in which they ran. */
  tool_calls: z.array(agentToolCall),
  uncertainties: z.array(uncertainty),
  current_pipeline: pipeline.nullable(),
  /** The status of the conversation. */
  status: agentConversationStatus,
});
export type AgentMessageAnswer = z.infer<typeof agentMessageAnswer>;

export const applyConversationBody = z.strictObject({
  collection_name: shownName(200, 'The collection needs a name.'),
  /** Only a user can send it. */
  force: z.boolean().default(false),
});
export type ApplyConversationBody = z.infer<typeof applyConversationBody>;

export const appliedConversation = z.object({
  collection_id: recordId,
  collection_name: z.string(),
  status: z.literal('indexing'),
});
export type AppliedConversation = z.infer<typeof appliedConversation>;

export const patchAgentConversationBody = z.strictObject({ status: z.literal('abandoned') });

export const resolveUncertaintyBody = z.strictObject({
  /** How it was resolved, such as `user_confirmed` or `pipeline_adjusted`. */
  resolved_by: z.string().trim().min(1, 'Say how it was resolved.').max(200),
});

/** The events of an answer. The SSE frame's `event` is the same name as `type`. */
export const agentMessageEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('status'),
    status: z.enum(['thinking', 'working']),
    /** A step of this sub-agent while it works. */
    agent_id: z.string().optional(),
    /** One plain sentence, such as “Tries PDF text on invoice-7.pdf”. Names of documents in it are data. */
    message: z.string().optional(),
    /** Progress of the step, if it can be counted. */
    done: z.number().int().optional(),
    total: z.number().int().optional(),
  }),
  z.object({ type: z.literal('text'), content: z.string() }),
  z.object({ type: z.literal('tool_call_start'), call_id: z.string(), name: z.string(), arguments: jsonObject }),
  z.object({ type: z.literal('tool_call_end'), call_id: z.string(), name: z.string(), success: z.boolean() }),
  /** `agent_id` is its kind, as in `source_analyzer`; a second one at the same time is `source_analyzer_2`. */
  z.object({ type: z.literal('subagent_start'), agent_id: z.string() }),
  z.object({ type: z.literal('subagent_end'), agent_id: z.string(), success: z.boolean(), summary: z.string() }),
  z.object({ type: z.literal('uncertainty'), uncertainty }),
  z.object({ type: z.literal('pipeline_update'), pipeline }),
  agentQuestion.extend({ type: z.literal('question') }),
  z.object({ type: z.literal('done'), result: agentMessageAnswer }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);
export type AgentMessageEvent = z.infer<typeof agentMessageEvent>;
