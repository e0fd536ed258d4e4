export type { MeterEmbeddings } from './metered-embedding-client.ts';
export type { IsLocal, KeepingSources, RefuseKept } from './kept-documents-repository.ts';
export type { MeterCalls, ModelCaller } from './metered-llm-client.ts';
export type { ThreadSpending } from './thread-spending.ts';
