import { addedTasks } from './added-tasks.ts';
import { clausesOf } from './clauses.ts';
import { dueIn } from './due-date.ts';
import type { TaskRequest } from './task-request.ts';

type Groups = Record<string, string | undefined>;
type Reading = readonly [RegExp, (groups: Groups, today: string) => TaskRequest | undefined];

const dateName = String.raw`(?:due date|deadline|date)`;

/** The most specific come first: `remove the deadline of x` deletes no task. */
const readings: readonly Reading[] = [
  [
    new RegExp(
      String.raw`^(?:remove|clear|delete|drop)\s+the\s+${dateName}\s+(?:of|from|for)\s+(?<reference>.+)$`,
      'iu',
    ),
    ({ reference = '' }) => ({ kind: 'update', reference, change: { due_at: null } }),
  ],
  [
    /^when\s+(?:is|are|do i have to do)\s+(?<reference>.+?)(?:\s+due)?$/iu,
    ({ reference = '' }) => ({ kind: 'when', reference }),
  ],
  [
    /^(?:(?:list|show|display|see|give me|tell me)\b(?=.*\b(?:tasks?|to-?dos?|list|due|open|done|overdue|left|all)\b)|what(?:['’]s|\s+(?:is|are|do|have|tasks|did|should|must))?\b|which\b|how many\b|do i have\b|is there\b|any(?:thing)?\b|my (?:tasks|to-?dos?|list)\b)(?<asked>.*)$/iu,
    ({ asked = '' }, today) => listRequest(asked, today),
  ],
  [
    /^(?:re-?open|open|uncomplete|uncheck|untick)\s+(?<reference>.+?)(?:\s+again)?$|^mark\s+(?<marked>.*?)\s*(?:as\s+)?(?:open|not\s+(?:done|completed?|finished)|undone|incomplete)$/iu,
    ({ reference, marked = '' }) => ({
      kind: 'update',
      reference: reference ?? marked,
      change: { is_completed: false },
    }),
  ],
  [
    /^(?:complete|finish|check\s+off|tick\s+off|cross\s+off|close)(?:\s+(?<reference>.+?))?$|^(?:mark|set|check|tick|cross)\s+(?<marked>.*?)\s*(?:as\s+|to\s+)?(?:done|completed?|finished|off)$|^i(?:['’]ve|\s+have)?\s+(?:just\s+|already\s+)?(?:finished|completed|done|did|am done with)\s+(?<did>.+)$|^(?:i(?:['’]m|\s+am)\s+)?done\s+with\s+(?<with>.+)$|^(?!(?:delete|remove|drop|erase|cancel)\b)(?<is>.+?)\s+(?:is|are)\s+(?:done|completed?|finished)(?:\s+now)?$/iu,
    (groups) => ({ kind: 'complete', reference: first(groups, 'reference', 'marked', 'did', 'with', 'is') }),
  ],
  [
    /^(?:delete|remove|drop|cancel|erase)(?:\s+(?<reference>.+?))?(?:\s+from\s+(?:my|the)\s+(?:to-?do\s+)?list)?$|^take\s+(?<taken>.+?)\s+off(?:\s+(?:my|the)\s+(?:to-?do\s+)?list)?$/iu,
    (groups) => ({ kind: 'delete', reference: first(groups, 'reference', 'taken') }),
  ],
  [
    /^rename\s+(?<reference>.+?)\s+(?:to|as|into)\s+(?<title>.+)$|^(?:change|set|update|edit)\s+the\s+(?:title|name)\s+of\s+(?<of>.+?)\s+to\s+(?<named>.+)$/iu,
    (groups) => ({
      kind: 'update',
      reference: first(groups, 'reference', 'of'),
      change: { title: first(groups, 'title', 'named') },
    }),
  ],
  [
    /^(?:change|set|update|edit|add)\s+(?:the|a)\s+(?:description|note)\s+(?:of|to|for)\s+(?<reference>.+?)(?:\s+to\s+|:\s*)(?<description>.+)$/iu,
    ({ reference = '', description = '' }) => ({ kind: 'update', reference, change: { description } }),
  ],
  [
    /^(?:change|set|update|edit|move|postpone|reschedule|push|delay|shift|make)\s+(?<what>.+)$/iu,
    ({ what = '' }, today) => changeRequest(what, today),
  ],
];

/** All requests in a message, in order; one sentence can add several tasks. Dates are relative to today. */
export function taskRequestsIn(message: string, today: string): TaskRequest[] {
  return clausesOf(message).flatMap((clause) => readClause(clause, today));
}

function readClause(clause: string, today: string): TaskRequest[] {
  for (const [pattern, read] of readings) {
    const match = pattern.exec(clause);
    const request = match && read(match.groups ?? {}, today);
    if (request) return [unquoted(request)];
  }
  return addedTasks(clause, today) ?? [{ kind: 'unclear', text: clause }];
}

function listRequest(asked: string, today: string): TaskRequest {
  if (/\boverdue\b/iu.test(asked)) return { kind: 'list', status: 'open', until: dayBefore(today) };
  if (/\b(?:this week|week)\b/iu.test(asked)) {
    const until = dueIn('end of the week', today)?.date ?? today;
    return { kind: 'list', status: 'open', until };
  }
  const due = dueIn(asked, today);
  if (due)
    return {
      kind: 'list',
      status: 'open',
      until: due.date,
      ...(due.date > today && /\bon\b|tomorrow/iu.test(asked) ? { from: due.date } : {}),
    };
  if (/\b(?:done|completed?|finished)\b/iu.test(asked)) return { kind: 'list', status: 'done' };
  const isOpen = /\b(?:open|pending|left|outstanding|due|next|still)\b/iu.test(asked);
  return { kind: 'list', status: isOpen ? 'open' : 'all' };
}

/** `The invoice to Monday`, `the due date of the invoice to Monday`, `the invoice to “Pay the invoice”`. */
function changeRequest(what: string, today: string): TaskRequest | undefined {
  const due = dueIn(what, today);
  if (due) {
    const reference = due.rest
      .replace(new RegExp(String.raw`^(?:the\s+)?${dateName}\s+(?:of|for|from)\s+`, 'iu'), '')
      .replace(/\s+(?:to|until|due|for|by|back)$/iu, '');
    return { kind: 'update', reference, change: { due_at: due.date } };
  }
  const [, reference, title] = /^(?<reference>.+?)\s+(?:to|into)\s+(?<title>.+)$/iu.exec(what) ?? [];
  return reference && title ? { kind: 'update', reference, change: { title } } : undefined;
}

function first(groups: Groups, ...names: string[]): string {
  return names.map((name) => groups[name]).find((text) => text !== undefined) ?? '';
}

function unquoted(request: TaskRequest): TaskRequest {
  if (request.kind !== 'update' || request.change.title === undefined) return request;
  const title = request.change.title.replaceAll(/^["“'«]|["”'»]$/gu, '');
  return { ...request, change: { ...request.change, title } };
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}
