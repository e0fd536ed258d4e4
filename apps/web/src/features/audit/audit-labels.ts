import type { AuditEntry } from '@docwright/contract';
import { callLabel } from '../../agent-ui/call-labels.ts';

export const originLabels: Record<AuditEntry['origin']['kind'], string> = {
  chat: 'Chat',
  api: 'Web app or API',
  run: 'Run',
  schedule: 'Schedule',
  arrival: 'Arrival of a document',
  mcp: 'MCP client',
  auto_create: 'Proposal',
};

const decisionLabels: Record<NonNullable<AuditEntry['decision']>, string> = {
  allow: 'Allowed by a rule',
  ask: 'Asked',
  deny: 'Denied by a rule',
  approved: 'Approved',
  rejected: 'Rejected',
  answered: 'Answered',
};

const kindLabels: Record<string, string> = {
  proposed: 'Proposed',
  decided: 'Decided',
  executed: 'Done',
  written: 'Written',
  undone: 'Undone',
};

/** The event of an entry: its decision, else its step and outcome. */
export function eventLabel({ kind, decision, success }: AuditEntry): string {
  if (kind === 'decided' && decision !== undefined) return decisionLabels[decision];
  const step = kindLabels[kind] ?? kind;
  if (success === false) return `${step}, failed`;
  return kind === 'proposed' && decision !== undefined ? `${step} · ${decisionLabels[decision]}` : step;
}

const changingTools = [
  'create_schema',
  'update_schema',
  'edit_schema',
  'delete_schema',
  'create_prompt',
  'update_prompt',
  'edit_prompt',
  'delete_prompt',
  'create_tag',
  'update_tag',
  'delete_tag',
  'upload_document',
  'update_document',
  'delete_document',
  'run_extraction',
  'update_extraction_field',
  'accept_proposal',
  'reject_proposal',
  'propose_plan',
  'ask_questions',
];

/** Options of the tool filter: all writing tools and the tools of the listed entries. */
export function toolChoices(
  entries: readonly AuditEntry[],
  chosen: string | undefined,
): { value: string; label: string }[] {
  const names = new Set([
    ...changingTools,
    ...entries.map(({ tool }) => tool),
    ...(chosen === undefined ? [] : [chosen]),
  ]);
  return [...names]
    .map((tool) => ({ value: tool, label: toolLabel({ tool }) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** `create_schema` → "Create schema". */
export const toolLabel = ({ tool }: Pick<AuditEntry, 'tool'>): string => callLabel(tool);
