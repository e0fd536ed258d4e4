import { dueIn } from './due-date.ts';
import type { TaskRequest } from './task-request.ts';

const opening =
  /^(?:(?:add|create|make|put|note(?:\s+down)?|new|remember)\b\s*(?:me\s+)?(?:(?:the|an?|another|one|some|new|following|two|three|four|five|\d+)\s+)*(?<noun>tasks?|to-?dos?|reminders?|items?)?\b\s*(?:(?:called|named|titled|saying|to|for|that (?:i|we) (?:should|must|need to|have to))\b)?|remind\s+me\s+(?:to|about|of|that)|i\s+(?:need|have|must|want|should)(?:\s+to)?|to-?do|tasks?)(?<colon>\s*[:–-])?\s*/iu;
const ending = /\s+(?:to|on|onto)\s+(?:my|the)\s+(?:to-?do\s+|task\s+)?list$/iu;
const noted = /\s+with\s+(?:the\s+|an?\s+)?(?:description|note)s?:?\s+(?<description>.+)$/iu;
const quoteMarks = /^["“'«]|["”'»]$/gu;

/** Verbs that work on documents begins with. */
const verb =
  /^(?:answer|approve|archive|ask|book|buy|call|check|clean|collect|compare|contact|correct|deliver|discuss|draft|e-?mail|extract|file|fill|finali[sz]e|fix|follow up|forward|get|inform|invoice|label|learn|mail|meet|order|organi[sz]e|pay|phone|pick|plan|prepare|print|proofread|read|reconcile|renew|reply|report|request|respond|review|scan|schedule|send|ship|sign|sort|submit|tag|talk|tell|test|translate|upload|validate|verify|visit|wash|write)\b/iu;
const between = /\s*(?:,\s*(?:and\s+)?(?:to\s+)?|\s+and\s+(?:to\s+)?|;|\n+\s*(?:[-*•]|\d+[.)])?\s*)/iu;

/** The tasks that a part of a message adds; undefined when it adds none. A title can be empty. */
export function addedTasks(clause: string, today: string): TaskRequest[] | undefined {
  const match = opening.exec(clause);
  if (!match && !verb.test(clause)) return undefined;
  const rest = clause
    .slice(match?.[0].length ?? 0)
    .replace(ending, '')
    .replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, '');
  if (match && rest === '') return [{ kind: 'add', title: '' }];
  const isList = match?.groups?.colon !== undefined || /s$/iu.test(match?.groups?.noun ?? '');
  return partsOf(rest, isList).map((part) => {
    const description = noted.exec(part)?.groups?.description?.replaceAll(quoteMarks, '');
    const bare = part.replace(noted, '');
    const due = dueIn(bare, today);
    const title = (due?.rest ?? bare).replaceAll(quoteMarks, '').replace(/[\s,:;.–-]+$/u, '');
    return { kind: 'add', title, ...(due ? { due: due.date } : {}), ...(description ? { description } : {}) };
  });
}

/** Several titles when the message announces several, or when each starts with a verb. */
function partsOf(text: string, isList: boolean): string[] {
  if (/^["“«].*["”»]$/u.test(text) && !/["”»]\s*(?:,|and)/iu.test(text)) return [text];
  const parts = text.split(between).filter((part) => part !== '');
  if (parts.length > 1 && (isList || parts.every((part) => verb.test(part)))) return parts;
  return [text];
}
