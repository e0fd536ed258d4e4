import { designsColumns } from './columns/known-columns.ts';
import { planColumns } from './columns/plan-columns.ts';
import { answerQuestion, questionSubject } from './plan/answer-question.ts';
import { changePrompt, promptContentIn } from './plan/artifacts/change-prompt.ts';
import { asksForCheck, checkResult } from './plan/check-result.ts';
import type { Conversation } from './plan/conversation.ts';
import { createAndExtract } from './plan/create-and-extract.ts';
import { editSchema } from './plan/artifacts/edit-schema.ts';
import { extractAgain } from './plan/extract-again.ts';
import { fieldEditsIn } from './plan/values/field-edits.ts';
import { requestedLists, listItems } from './plan/artifacts/list-items.ts';
import { manageTags } from './plan/artifacts/manage-tags.ts';
import { manageItem, itemRequestIn } from './plan/artifacts/manage-items.ts';
import { patchValues } from './plan/values/patch-values.ts';
import type { Plan } from './plan/plan.ts';
import { removeRow, rowToRemove } from './plan/values/remove-row.ts';
import { resumeRejected } from './plan/resume-rejected.ts';
import { showArtifact } from './plan/artifacts/show-artifact.ts';
import { requestedPage, showPageText } from './plan/show-page-text.ts';
import { admitNotUnderstood, answerSmallTalk } from './plan/small-talk.ts';
import { tagRequestIn } from './plan/artifacts/tag-requests.ts';
import { buildsPipeline, planPipeline } from './pipelines/plan-pipeline.ts';
import { analyzesSource, planSourceAnalysis, planValidation, validatesPipeline } from './pipelines/plan-sub-agents.ts';
import { isTaskAgent, planTasks } from './tasks/plan-tasks.ts';
import { doubtedField, valueEditsIn } from './plan/values/value-edits.ts';

const makesSchema =
  /(?<![\p{L}])(?:creat|make|build|design|propose|suggest|set ?up|generate|draft|define|new|erstell|anleg|cré)\p{L}*(?![\p{L}]).{0,40}?(?<![\p{L}])(?:schema|schéma|template|structure)|(?<![\p{L}])(?:need|want|like|give me)\s+(?:a|an|another|one)\s+(?:new\s+)?schema/iu;
const wantsValues =
  /(?<![\p{L}])(?:extract|extrah|extrai|read out|pull out|capture|get (?:me )?(?:all |the )?(?:data|values|fields)|auslesen|lies .* aus)/iu;
const wantsRun = /^\W*(?:please\s+)?(?:re-?run|run|repeat|redo|again|start)\b.*\b(?:extraction|prompt|again|it)\b/iu;

/** Reads a request as one kind of request; undefined when it does not match. */
type Reading = (request: string, conversation: Conversation) => Plan | string | undefined;

/** The most specific readings come first: `delete the tag x` must not be read as a field to drop. */
const readings: readonly Reading[] = [
  (_, conversation) => (analyzesSource(conversation) ? planSourceAnalysis() : undefined),
  (_, conversation) => (validatesPipeline(conversation) ? planValidation(conversation) : undefined),
  (_, conversation) => (buildsPipeline(conversation) ? planPipeline(conversation) : undefined),
  (_, conversation) => (isTaskAgent(conversation) ? planTasks(conversation) : undefined),
  (_, conversation) => (designsColumns(conversation) ? planColumns(conversation) : undefined),
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
  (request) => answerSmallTalk(request),
  (request, conversation) => {
    const subject = questionSubject(request);
    return subject === undefined ? undefined : answerQuestion(subject, conversation);
  },
];

/** Chooses the plan for the user's last message. No other text counts as a request. */
export function planFor(conversation: Conversation): Plan | string {
  for (const read of readings) {
    const plan = read(conversation.request, conversation);
    if (plan !== undefined) return plan;
  }
  return admitNotUnderstood();
}
