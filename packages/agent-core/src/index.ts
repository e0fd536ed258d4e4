// The loop and its turns.
export type * from './loop/agent-profile.ts';
export { checkDecisions, editedArguments, type Decisions } from './loop/approval.ts';
export * from './loop/caller-held.ts';
export type { Locale } from './turns/locale-lines.ts';
export type * from './loop/call-record.ts';
export { guardedPermissionRequest, permissionRequestOf } from './loop/call-tool.ts';
export { describeInvalidArguments, nearestName, prepareCall } from './loop/prepare-call.ts';
export * from './loop/run-turn.ts';
export { staleReason } from './loop/stale-proposal.ts';
export { closingEventOf, describeFailure, turnAnswerOf } from './loop/turn-result.ts';
export type { TurnOutcome, TurnResult } from './loop/turn-result.ts';
export type { Checkpoint, TurnDependencies } from './loop/turn-run.ts';
export * from './history/history-of.ts';
export type * from './plans/grants.ts';
export * from './turns/memory-turn-store.ts';
export type * from './turns/pending-turn.ts';
export type * from './turns/turn-store.ts';
export * from './tracing/traced.ts';

// Tools and permissions.
export { noGivenContent } from './provenance/seen-content.ts';
export { contentOfResult, type ReadContent } from './provenance/read-content.ts';
export { productList, productMessageStart, programMessage } from './provenance/product-messages.ts';
export * from './permissions/decide-call.ts';
export * from './permissions/default-decide.ts';
export type * from './permissions/permission.ts';
export type * from './tool/baseline.ts';
export { newCallId } from './tool/call-id.ts';
export * from './tool/tool.ts';
export * from './tool/toolset.ts';

// Models.
export * from './llm/complete-text.ts';
export { repairedJson } from './llm/repaired-json.ts';
export { UnfinishedAnswerError, unfinishedAnswer } from './llm/unfinished-answer.ts';
export { countedCharacters } from './llm/image-part.ts';
export type * from './llm/llm-client.ts';
export { BrokenAnswerError, type EndpointLabels } from './llm/model-failure.ts';
export * from './llm/openai/openai-embedding-client.ts';
export * from './llm/openai/openai-llm-client.ts';
export { guessProviderKind } from './llm/openai/provider-dialect.ts';
export * from './llm/token-usage.ts';

// The document agent.
export {
  cutAtCharacter,
  defuseFences,
  documentBlock,
  isRecognised,
  type PageText,
} from './document-agent/context/document-block.ts';
export { unreadLines } from './document-agent/context/unread-lines.ts';
export { extractionForState, shortenLongLists } from './document-agent/context/extraction-context.ts';
export { resolveMentions, type PromptNames, type ResolvedMention } from './document-agent/context/mention.ts';
export { imageOfResult } from './document-agent/context/page-images.ts';
export type * from './document-agent/context/services.ts';
export { createDocumentAgentProfile } from './document-agent/profile.ts';
export * from './document-agent/tools/index.ts';
export { withEditedText } from './document-agent/tools/prompts/update-prompt.ts';
export { schemaChange, withChanges } from './document-agent/tools/schemas/schema-changes.ts';

// The other agents.
export * from './ask/profile.ts';
export * from './ask/services.ts';
export { sortedInSteps } from './ask/in-steps.ts';
export { rowsBehind } from './ask/rows-behind.ts';
export { askTools } from './ask/tools.ts';
export * from './collection-tools/index.ts';
export type * from './collection-tools/services.ts';
export { pipelineAgentTools } from './pipeline-agent/pipeline-tools.ts';
export * from './pipeline-agent/profile.ts';
export type * from './pipeline-agent/services.ts';
export * from './schema-chat/column-rules.ts';
export * from './schema-chat/profile.ts';
export type * from './schema-chat/services.ts';
export { askedQuestions, imageRequestArguments } from './schema-chat/user-tools.ts';
export type * from './sub-agents/pipeline-validator/services.ts';
export { pipelineValidatorId } from './sub-agents/pipeline-validator/validate-pipeline.ts';
export { sourceAnalyzerId } from './sub-agents/source-analyzer/analyze-source.ts';
export type * from './sub-agents/source-analyzer/services.ts';
export type * from './sub-agents/sub-agent-model.ts';
export type { SubAgentStep } from './sub-agents/sub-agent-steps.ts';
export * from './task-agent/profile.ts';
export type * from './task-agent/services.ts';
export { taskAgentTools } from './task-agent/task-tools.ts';
