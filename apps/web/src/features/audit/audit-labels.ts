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

/** Options of the tool filter: what the log has, and what is chosen. */
export function toolChoices(tools: readonly string[], chosen: string | undefined): { value: string; label: string }[] {
  return [...new Set([...tools, ...(chosen === undefined ? [] : [chosen])])]
    .map((tool) => ({ value: tool, label: toolLabel({ tool }) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** `create_schema` → "Create schema". */
export const toolLabel = ({ tool }: Pick<AuditEntry, 'tool'>): string => callLabel(tool);
