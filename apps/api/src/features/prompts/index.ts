export { settingsAgain } from './prompt-content.ts';
export type { PromptHooks } from './feature.ts';
export { createPromptCheck, createPromptRepositories, promptFacets, sharedPromptKeys } from './prompt-repository.ts';
export type { PromptContent, PromptRepository } from './prompt-repository.ts';
export type { EmitPolicyChange, PromptService } from './prompt-service.ts';
