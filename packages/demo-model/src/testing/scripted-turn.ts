import { answerRequest } from '../answer/answer-request.ts';
import { chatRequest } from '../protocol/chat-request.ts';

const toolNames = [
  'get_ocr_text',
  'get_extraction_result',
  'get_schema',
  'list_schemas',
  'validate_schema',
  'validate_against_schema',
  'get_prompt',
  'list_prompts',
  'list_tags',
  'list_documents',
  'list_llm_models',
  'help_schemas',
  'ask_questions',
  'run_extraction',
  'update_extraction_field',
  'create_schema',
  'update_schema',
  'delete_schema',
  'create_prompt',
  'update_prompt',
  'delete_prompt',
  'create_tag',
  'update_tag',
  'delete_tag',
  'update_document',
  'delete_document',
  'propose_plan',
];

/** Returns the result of a call in a test, or the text of a rejection. `earlier` is the number of earlier calls of the tool. */
export type ScriptedTool = (args: Record<string, unknown>, earlier: number) => unknown;

export interface TurnScript {
  request: string;
  page?: string;
  state?: Record<string, unknown>;
  tools?: Record<string, ScriptedTool>;
  /** Names of the tools that are offered; all of the document agent's by default. */
  offered?: readonly string[];
  /** Messages before the request. */
  history?: readonly Record<string, unknown>[];
  /** Lines before the working state, such as the person's language. */
  facts?: readonly string[];
}

export interface PlayedTurn {
  /** Name and arguments of every call, in order. */
  calls: { name: string; arguments: Record<string, unknown> }[];
  names: string[];
  /** The number of requests to the model. */
  rounds: number;
  /** The final text of the turn. */
  text: string;
}

const maxRounds = 15;

/** Runs a turn as the product's loop does: asks for the next step and answers its calls, until a final text. */
export function playTurn(script: TurnScript): PlayedTurn {
  const { request, page = '', state = {}, tools = {}, offered = toolNames, history = [], facts = [] } = script;
  const workingState = { schema_revid: null, prompt_revid: null, extraction: null, ...state };
  const system = `You are the agent.\n\nDocument: march.pdf (id ${'d'.repeat(24)})\n\n<document name="march.pdf" pages="1">\n<page number="1">\n${page}\n</page>\n</document>\n\n${facts.map((fact) => `${fact}\n`).join('')}Working state:\n${JSON.stringify(workingState)}`;
  const messages: Record<string, unknown>[] = [
    { role: 'system', content: system },
    ...history,
    { role: 'user', content: request },
  ];
  const calls: PlayedTurn['calls'] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const body = {
      model: 'demo-rules-1',
      messages,
      tools: offered.map((name) => ({ type: 'function', function: { name } })),
    };
    const answer = answerRequest(chatRequest.parse(body));
    if (answer.calls.length === 0)
      return { calls, names: calls.map(({ name }) => name), rounds: round + 1, text: answer.text };
    const ids = answer.calls.map((_, index) => `call_${round}_${index}`);
    messages.push({
      role: 'assistant',
      content: answer.text,
      tool_calls: answer.calls.map((call, index) => ({
        id: ids[index],
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      })),
    });
    for (const [index, call] of answer.calls.entries()) {
      const earlier = calls.filter(({ name }) => name === call.name).length;
      calls.push(call);
      const result = tools[call.name]?.(call.arguments, earlier) ?? {};
      messages.push({
        role: 'tool',
        tool_call_id: ids[index],
        content: typeof result === 'string' ? result : JSON.stringify(result),
      });
    }
  }
  throw new Error(`The turn did not end in ${maxRounds} rounds: ${calls.map(({ name }) => name).join(', ')}`);
}
