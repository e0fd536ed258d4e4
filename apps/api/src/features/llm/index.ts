export { chooseChatModel } from './choose-chat-model.ts';
export type { LlmAt, LlmFor, LlmServices } from './llm-services.ts';
export type { ModelService } from './model-service.ts';
export { isMasked, maskToken } from './provider-token.ts';
