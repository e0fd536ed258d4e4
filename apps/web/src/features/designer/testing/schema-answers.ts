import type { Column, PendingTool, SchemaChatAnswer, SchemaExecuteAnswer } from '@docwright/contract';

export const column = (id: string, name: string, more: Partial<Column> = {}): Column => ({
  id,
  name,
  type: 'text',
  description: '',
  allowedValues: '',
  regex: '',
  ...more,
});

export const call = (id: string, name: string, args: unknown): PendingTool => ({
  id,
  function: { name, arguments: JSON.stringify(args) },
});

/** A model answer with these calls. */
export function answer(
  text: string,
  calls: PendingTool[] = [],
  more: Partial<SchemaChatAnswer> = {},
): SchemaChatAnswer {
  return {
    success: true,
    assistantMessage: text,
    newMessages: [
      {
        role: 'assistant',
        content: text,
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ id, function: called }) => ({
                id,
                type: 'function' as const,
                function: called,
              })),
            }),
      },
    ],
    pendingTools: calls,
    questions: [],
    imageRequests: [],
    autoExecuteResults: {},
    documentAnalyses: [],
    currentColumns: [],
    shouldContinue: false,
    ...more,
  };
}

/** The answer after applying calls; `results` maps call ids to errors, or undefined on success. */
export function executed(columns: Column[], results: Record<string, string | undefined>): SchemaExecuteAnswer {
  const entries = Object.entries(results);
  return {
    success: entries.every(([, error]) => error === undefined),
    results: entries.map(([id, error]) => ({
      id,
      name: 'add_column',
      success: error === undefined,
      ...(error === undefined ? {} : { error }),
    })),
    updatedColumns: columns,
    updatedTables: [],
    updatedDescription: '',
    updatedMultiRowExtraction: false,
    updatedFeatureFlags: {},
    toolMessages: entries.map(([tool_call_id, error]) => ({
      role: 'tool',
      tool_call_id,
      content: JSON.stringify(error === undefined ? { success: true } : { error }),
    })),
  };
}
