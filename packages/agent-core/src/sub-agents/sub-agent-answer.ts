import { subAgentResult, type FoundUncertainty } from '@docwright/contract';
import { z } from 'zod';

/** What a sub-agent's last answer says, once it fits. */
export interface SubAgentAnswer<Data> {
  success: boolean;
  data: Data;
  uncertainties: FoundUncertainty[];
  summary: string;
}

/** Reads the JSON of a sub-agent's last answer; words or a code fence around it do no harm. Says why it does not fit. */
export function readSubAgentAnswer<Data>(
  text: string,
  data: z.ZodType<Data>,
): { answer: SubAgentAnswer<Data> } | { problem: string } {
  const found = objectIn(text);
  if (found === undefined) return { problem: 'There is no JSON object in it.' };
  const parsed = subAgentResult.safeParse(found);
  if (!parsed.success) return { problem: z.prettifyError(parsed.error) };
  const inner = data.safeParse(parsed.data.data);
  if (!inner.success) return { problem: `data: ${z.prettifyError(inner.error)}` };
  return { answer: { ...parsed.data, data: inner.data } };
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as unknown;
  } catch {
    return undefined;
  }
}
