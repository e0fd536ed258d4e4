import type { AgentConversation, AgentMessage, AgentToolCall, Pipeline } from '@docwright/contract';

const at = '2026-01-01T00:00:00.000Z';

export const pipelineOf = (chunker: string, extension = 'pdf'): Pipeline => ({
  parsers: [{ extensions: [extension], plugin_id: 'pdf_text', config: {}, fallback_plugin_id: 'ocr' }],
  chunker: { plugin_id: chunker, config: { max_characters: 1200 } },
  embedder: null,
});

export const messageOf = (
  role: AgentMessage['role'],
  content: string,
  tool_calls: AgentToolCall[] = [],
): AgentMessage => ({
  id: content,
  role,
  content,
  tool_calls,
  subagents: [],
  created_at: at,
});

export const buildCall = (pipeline: Pipeline): AgentToolCall => ({
  tool_name: 'build_pipeline',
  arguments: pipeline,
  result: { current_pipeline: pipeline },
});

const empty: Partial<AgentConversation> = {
  id: '0'.repeat(24),
  status: 'active',
  source_id: '1'.repeat(24),
  created_at: at,
  updated_at: at,
  is_running: false,
  progress: null,
  collection_id: null,
  current_pipeline: null,
  source_analysis: null,
  validation: null,
  uncertainties: [],
  messages: [],
  summary: null,
  question: null,
};

export const conversationOf = (parts: Partial<AgentConversation>) => ({ ...empty, ...parts }) as AgentConversation;
