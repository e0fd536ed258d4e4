import { shortenLongLists } from '@docwright/agent-core';
import type { AgentLog, ExecutedCall, ExecutedRound } from '@docwright/contract';

/** Characters of one text, and of one call's arguments or result as JSON. A log has as many rounds as a turn may have. */
const maxTextCharacters = 8_000;
const maxJsonCharacters = 16_000;

/** Tried in this order until a value is short enough. */
const cuts = [
  { items: 50, characters: 2_000 },
  { items: 10, characters: 500 },
  { items: 3, characters: 100 },
];

/** What a run said and did, bounded; the closing text is its last round. */
export function agentLogOf(rounds: readonly ExecutedRound[], text: string): AgentLog {
  const closing: ExecutedRound[] = text === '' ? [] : [{ round_index: rounds.length, text, tool_calls: [] }];
  return [...rounds, ...closing].map((round) => ({
    ...round,
    text: shortText(round.text),
    ...(round.thinking === undefined ? {} : { thinking: shortText(round.thinking) }),
    tool_calls: round.tool_calls.map(shortCall),
  }));
}

function shortCall(call: ExecutedCall): ExecutedCall {
  return {
    ...call,
    arguments:
      call.arguments.length <= maxJsonCharacters ? call.arguments : JSON.stringify(short(parsed(call.arguments))),
    ...(call.result === undefined ? {} : { result: short(call.result) }),
    ...(call.error === undefined ? {} : { error: shortText(call.error) }),
  };
}

function short(value: unknown): unknown {
  const fits = (candidate: unknown) => (JSON.stringify(candidate) ?? '').length <= maxJsonCharacters;
  if (fits(value)) return value;
  for (const { items, characters } of cuts) {
    const shorter = shortenLongLists(value, items, characters);
    if (fits(shorter)) return shorter;
  }
  return { cut: `${(JSON.stringify(value) ?? '').slice(0, 1_000)}…` };
}

function shortText(text: string): string {
  return text.length <= maxTextCharacters
    ? text
    : `${text.slice(0, maxTextCharacters)}[cut: ${text.length - maxTextCharacters} more characters]`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { cut: `${text.slice(0, 1_000)}…` };
  }
}
