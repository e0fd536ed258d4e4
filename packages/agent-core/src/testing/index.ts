export * from './in-memory-document-services.ts';
export * from './obeying-llm.ts';
export * from './scripted-llm.ts';
export * from './turn-store-suite.ts';
export { labelArguments } from '../provenance/label-arguments.ts';
export { seenContent } from './seen-at-once.ts';
