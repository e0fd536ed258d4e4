import type { ExecutedCall, ToolEffect } from '@docwright/contract';
import { z } from 'zod';
import type { RunOutcome, AgentProgress } from '../headless/index.ts';

const extracted = z.object({
  prompt_id: z.string().optional(),
  prompt_revid: z.string(),
  schema_revid: z.string().optional(),
  result: z.unknown(),
});
const createdPrompt = z.object({ prompt_id: z.string() });

/**
 * The proposal of a run: the prompt of its last extraction. An aborted run makes a proposal only if it changed
 * nothing after that extraction, so that the proposal is consistent.
 */
export function proposalOfRun(
  { rounds }: AgentProgress,
  isAborted: boolean,
  effectOf: (tool: string) => ToolEffect | undefined,
): RunOutcome['proposal'] {
  const done = rounds.flatMap((round) => round.tool_calls).filter(({ success }) => success);
  const last = done.findLastIndex(({ name }) => name === 'run_extraction');
  if (last === -1) return null;
  const isChanged = done.slice(last + 1).some(({ name }: ExecutedCall) => effectOf(name) === 'read_write');
  if (isAborted && isChanged) return null;
  const { prompt_id, prompt_revid, schema_revid } = extracted.parse(done[last]?.result);
  const isCreated = done.some(
    ({ name, result }) => name === 'create_prompt' && createdPrompt.safeParse(result).data?.prompt_id === prompt_id,
  );
  return {
    prompt_revid,
    ...(schema_revid === undefined ? {} : { schema_revid }),
    ...(isCreated ? { created: true as const } : {}),
  };
}

/** The error of a run whose extraction found no value. */
export function objectionToRun({ rounds }: AgentProgress): { code: string; message: string } | undefined {
  const done = rounds.flatMap((round) => round.tool_calls).filter(({ success }) => success);
  const result = extracted.safeParse(done.findLast(({ name }) => name === 'run_extraction')?.result).data?.result;
  if (result === undefined || hasValue(result)) return undefined;
  const message =
    'The fields that the agent chose were not found in the document, so there is nothing to propose. Start it again, or create a schema yourself.';
  return { code: 'nothing_found', message };
}

function hasValue(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(hasValue);
}
