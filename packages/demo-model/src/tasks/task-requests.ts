import { dueIn } from './due-date.ts';
import type { TaskRequest } from './task-request.ts';

type Groups = Record<string, string | undefined>;
type Reading = readonly [RegExp, (groups: Groups, today: string) => TaskRequest | undefined];

const dateName = String.raw`(?:due date|deadline|date)`;

/** The most specific readings come first: `remove the deadline of x` deletes no task. */
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
    /^(?:change|set|update|edit|move|postpone|reschedule|push|delay|shift|make)\s+(?<change>.+)$/iu,
    ({ change = '' }, today) => changeRequest(change, today),
  ],
];

/** All requests in a message, in order. One sentence can add several tasks. Relative dates count from `today`. */
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

/** The change in `the invoice to Monday`, `the due date of the invoice to Monday`, or `the invoice to “Pay the invoice”`. */
function changeRequest(text: string, today: string): TaskRequest | undefined {
  const due = dueIn(text, today);
  if (due) {
    const reference = due.rest
      .replace(new RegExp(String.raw`^(?:the\s+)?${dateName}\s+(?:of|for|from)\s+`, 'iu'), '')
      .replace(/\s+(?:to|until|due|for|by|back)$/iu, '');
    return { kind: 'update', reference, change: { due_at: due.date } };
  }
  const [, reference, title] = /^(?<reference>.+?)\s+(?:to|into)\s+(?<title>.+)$/iu.exec(text) ?? [];
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

const addRequest =
  /^(?:(?:add|create|make|put|note(?:\s+down)?|new|remember)\b\s*(?:me\s+)?(?:(?:the|an?|another|one|some|new|following|two|three|four|five|\d+)\s+)*(?<noun>tasks?|to-?dos?|reminders?|items?)?\b\s*(?:(?:called|named|titled|saying|to|for|that (?:i|we) (?:should|must|need to|have to))\b)?|remind\s+me\s+(?:to|about|of|that)|i\s+(?:need|have|must|want|should)(?:\s+to)?|to-?do|tasks?)(?<colon>\s*[:–-])?\s*/iu;
const listName = /\s+(?:to|on|onto)\s+(?:my|the)\s+(?:to-?do\s+|task\s+)?list$/iu;
const descriptionPart = /\s+with\s+(?:the\s+|an?\s+)?(?:description|note)s?:?\s+(?<description>.+)$/iu;
const quoteMarks = /^["“'«]|["”'»]$/gu;

/** Verbs that tasks about documents start with. */
const verb =
  /^(?:answer|approve|archive|ask|book|buy|call|check|clean|collect|compare|contact|correct|deliver|discuss|draft|e-?mail|extract|file|fill|finali[sz]e|fix|follow up|forward|get|inform|invoice|label|learn|mail|meet|order|organi[sz]e|pay|phone|pick|plan|prepare|print|proofread|read|reconcile|renew|reply|report|request|respond|review|scan|schedule|send|ship|sign|sort|submit|tag|talk|tell|test|translate|upload|validate|verify|visit|wash|write)\b/iu;
const titleBreak = /\s*(?:,\s*(?:and\s+)?(?:to\s+)?|\s+and\s+(?:to\s+)?|;|\n+\s*(?:[-*•]|\d+[.)])?\s*)/iu;

/** The tasks that a part of a message adds; undefined when it adds none. A title can be empty. */
function addedTasks(clause: string, today: string): TaskRequest[] | undefined {
  const match = addRequest.exec(clause);
  if (!match && !verb.test(clause)) return undefined;
  const rest = clause
    .slice(match?.[0].length ?? 0)
    .replace(listName, '')
    .replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, '');
  if (match && rest === '') return [{ kind: 'add', title: '' }];
  const isList = match?.groups?.colon !== undefined || /s$/iu.test(match?.groups?.noun ?? '');
  return titlesIn(rest, isList).map((part) => {
    const description = descriptionPart.exec(part)?.groups?.description?.replaceAll(quoteMarks, '');
    const bare = part.replace(descriptionPart, '');
    const due = dueIn(bare, today);
    const title = (due?.rest ?? bare).replaceAll(quoteMarks, '').replace(/[\s,:;.–-]+$/u, '');
    return { kind: 'add', title, ...(due ? { due: due.date } : {}), ...(description ? { description } : {}) };
  });
}

/** Several titles when the message announces several, or when each starts with a verb. */
function titlesIn(text: string, isList: boolean): string[] {
  if (/^["“«].*["”»]$/u.test(text) && !/["”»]\s*(?:,|and)/iu.test(text)) return [text];
  const parts = text.split(titleBreak).filter((part) => part !== '');
  if (parts.length > 1 && (isList || parts.every((part) => verb.test(part)))) return parts;
  return [text];
}

/** The start of a new request. */
const requestStart = String.raw`(?:(?:please|also|then|now|and)\s+)*(?:add|create|note|put|remind|list|show|what|which|when|complete|finish|mark|tick|check\s+off|cross\s+off|close|re-?open|delete|remove|drop|cancel|erase|take|rename|change|update|edit|move|postpone|reschedule|push|delay|set|i\s+(?:have|need|must|did|finished|completed))\b`;
/** A statement that one task is done. Two tasks share the verb and stay together. */
const doneStatement = String.raw`(?:the|my|that|this)\s+(?:(?!\s(?:and|or)\s)[^,;.!?\n])+?\s+is\s+(?:done|completed?|finished)\b`;
const boundary = new RegExp(
  String.raw`(?:\s*[;\n]+\s*|[.!?]\s+|\s*,?\s+(?:and|then)\s+|,\s*)(?=${requestStart}|${doneStatement})`,
  'iu',
);
const politeness =
  /^(?:(?:please|also|then|now|and|ok(?:ay)?|so|hey|hi|hello|can you|could you|would you|will you|i(?:['’]d| would) like (?:you )?to|let['’]s)[\s,]+)+/iu;
const quotation = /"[^"]*"|“[^”]*”|«[^»]*»/gu;

/** Splits a message into parts with one request each. Quoted text is not split. */
function clausesOf(message: string): string[] {
  const quotes: string[] = [];
  const masked = message.replace(quotation, (quote) => `\u{e000}${quotes.push(quote) - 1}\u{e001}`);
  return masked
    .split(boundary)
    .map((part) =>
      part
        .trim()
        .replace(politeness, '')
        .replace(/[\s,.!?;]+(?:please|thanks|thank you)?[\s.!?]*$/iu, '')
        .replaceAll(/\u{e000}(\d+)\u{e001}/gu, (_, at: string) => quotes[Number(at)] ?? ''),
    )
    .filter((part) => part !== '');
}
