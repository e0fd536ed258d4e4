import type { ExecutedCall, ToolEffect } from '@docwright/contract';
import { z } from 'zod';
import type { RunOutcome } from '../headless/claim-repository.ts';
import type { AgentProgress } from '../headless/run-agent.ts';

const extracted = z.object({ prompt_revid: z.string(), schema_revid: z.string().optional() });

/**
 * What a run proposes: the prompt of its last extraction. One that broke off proposes it only where nothing was changed
 * after that extraction, so that what is proposed is whole.
 */
export function proposalOfRun(
  { rounds }: AgentProgress,
  isBrokenOff: boolean,
  effectOf: (tool: string) => ToolEffect | undefined,
): RunOutcome['proposal'] {
  const done = rounds.flatMap((round) => round.tool_calls).filter(({ success }) => success);
  const last = done.findLastIndex(({ name }) => name === 'run_extraction');
  if (last === -1) return null;
  const isChanged = done.slice(last + 1).some(({ name }: ExecutedCall) => effectOf(name) === 'read_write');
  if (isBrokenOff && isChanged) return null;
  const { prompt_revid, schema_revid } = extracted.parse(done[last]?.result);
  return { prompt_revid, ...(schema_revid === undefined ? {} : { schema_revid }) };
}
