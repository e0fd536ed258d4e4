import type { RuleInput } from '../conversation/conversation.ts';
import { fieldEditsIn } from '../conversation/field-edits.ts';
import type { PlanOfSteps } from '../conversation/plan.ts';
import { answerSmallTalk, describeNotUnderstood, type SmallTalk } from '../conversation/small-talk.ts';
import { answerQuestion, questionSubject } from './answer-question.ts';
import { changePrompt, promptContentIn } from './change-prompt.ts';
import { createAndExtract } from './create-and-extract.ts';
import { extractAgain } from './extract-again.ts';
import { listItems, requestedLists } from './items/list-items.ts';
import { itemRequestIn, manageItem } from './items/manage-items.ts';
import { manageTags } from './items/manage-tags.ts';
import { tagRequestIn } from './items/tag-requests.ts';
import { requestedPage, showPageText } from './pages/show-page-text.ts';
import { asksForCheck, checkResult } from './results/check-result.ts';
import { patchValues } from './results/patch-values.ts';
import { removeRow, rowToRemove } from './results/remove-row.ts';
import { doubtedField, valueEditsIn } from './results/value-edits.ts';
import { resumeRejected } from './resume-rejected.ts';
import { editSchema } from './schemas/edit-schema.ts';
import { showArtifact } from './show-artifact.ts';

const makesSchema =
  /(?<![\p{L}])(?:creat|make|build|design|propose|suggest|set ?up|generate|draft|define|new|erstell|anleg|cré)\p{L}*(?![\p{L}]).{0,40}?(?<![\p{L}])(?:schema|schéma|template|structure)|(?<![\p{L}])(?:need|want|like|give me)\s+(?:a|an|another|one)\s+(?:new\s+)?schema/iu;
const wantsValues =
  /(?<![\p{L}])(?:extract|extrah|extrai|read out|pull out|capture|get (?:me )?(?:all |the )?(?:data|values|fields)|auslesen|lies .* aus)/iu;
const wantsRun = /^\W*(?:please\s+)?(?:re-?run|run|repeat|redo|again|start)\b.*\b(?:extraction|prompt|again|it)\b/iu;

const smallTalk: SmallTalk = {
  greeting:
    /^\W*(?:(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)\b|good (?:morning|day|evening)|guten (?:tag|morgen)|help\b|hilfe\b|aide\b|who are you|what (?:can|are|do) you|are you\b)/iu,
  thanks: /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice|danke|merci)\b.{0,30}$/iu,
  refusal: /^\W*(?:never ?mind|forget it|no thanks?|cancel|stop|nothing|leave it|no)\b.{0,30}$/iu,
  abilities: 'I understand requests such as:',
  examples: [
    'create a schema for this invoice and extract it',
    'add a field due date and drop the VAT id',
    'rename total to amount_due',
    'set the total to 12.50',
    'what is the total?',
    'show the text of page 2',
    'list my schemas',
    'tag this document with billing',
  ],
};

/** Reads a message as one kind of request; undefined for other messages. */
type RequestReader = (request: string, conversation: RuleInput) => PlanOfSteps | string | undefined;

/** The most specific readers come first: `delete the tag x` must not be read as a field to drop. */
const readers: readonly RequestReader[] = [
  (_, conversation) => resumeRejected(conversation),
  (request, conversation) => {
    const tags = tagRequestIn(request);
    return tags && manageTags(tags, conversation);
  },
  (request, conversation) =>
    makesSchema.test(request) ? createAndExtract(conversation, wantsValues.test(request)) : undefined,
  (request, conversation) => {
    const item = itemRequestIn(request);
    return item && manageItem(item, conversation);
  },
  (request, conversation) => {
    const content = promptContentIn(request);
    return content === undefined ? undefined : changePrompt(content, conversation);
  },
  (request) => {
    const page = requestedPage(request);
    return page === undefined ? undefined : showPageText(page);
  },
  (request, conversation) => {
    const lists = requestedLists(request);
    return lists.length > 0 ? listItems(lists, conversation) : undefined;
  },
  (_, conversation) => showArtifact(conversation),
  (request, conversation) => (asksForCheck(request) ? checkResult(conversation) : undefined),
  (request, conversation) => {
    const row = rowToRemove(request);
    return row === undefined ? undefined : removeRow(row, conversation);
  },
  (request, conversation) => {
    const fields = fieldEditsIn(request);
    return fields.length > 0 ? editSchema(conversation, fields) : undefined;
  },
  (request) => {
    const doubted = doubtedField(request);
    return doubted && `What should it be? Say for example “set the ${doubted} to …”.`;
  },
  (request, conversation) => {
    const values = questionSubject(request) === undefined ? valueEditsIn(request) : [];
    return values.length > 0 ? patchValues(conversation, values) : undefined;
  },
  (request, conversation) =>
    wantsRun.test(request) || wantsValues.test(request) ? extractAgain(conversation) : undefined,
  (request) => answerSmallTalk(request, smallTalk),
  (request, conversation) => {
    const subject = questionSubject(request);
    return subject === undefined ? undefined : answerQuestion(subject, conversation);
  },
];

/** Plans the document agent's next step. Only the user's last message counts as a request. */
export function planDocument(conversation: RuleInput): PlanOfSteps | string {
  for (const read of readers) {
    const plan = read(conversation.request, conversation);
    if (plan !== undefined) return plan;
  }
  return describeNotUnderstood(smallTalk);
}
