import { answerQuestion, questionSubject } from './answer-question.ts';
import type { Conversation } from './conversation.ts';
import { createAndExtract } from './create-and-extract.ts';
import { asksForCheck, checkResult } from './check-result.ts';
import { changePrompt, promptContentIn } from './change-prompt.ts';
import { editSchema } from './edit-schema.ts';
import { extractAgain } from './extract-again.ts';
import { fieldEditsIn } from './field-edits.ts';
import { admitNotUnderstood, answerSmallTalk } from './small-talk.ts';
import { listsWanted, listThings } from './list-things.ts';
import { manageTags } from './manage-tags.ts';
import { manageThing, thingRequestIn } from './manage-things.ts';
import { patchValues } from './patch-values.ts';
import type { Plan } from './plan.ts';
import { removeRow, rowToRemove } from './remove-row.ts';
import { resumeRejected } from './resume-rejected.ts';
import { showArtifact } from './show-artifact.ts';
import { pageTextWanted, showPageText } from './show-page-text.ts';
import { tagRequestIn } from './tag-requests.ts';
import { doubtedField, valueEditsIn } from './value-edits.ts';

const makesSchema =
  /(?<![\p{L}])(?:creat|make|build|design|propose|suggest|set ?up|generate|draft|define|new|erstell|anleg|cré)\p{L}*(?![\p{L}]).{0,40}?(?<![\p{L}])(?:schema|schéma|template|structure)|(?<![\p{L}])(?:need|want|like|give me)\s+(?:a|an|another|one)\s+(?:new\s+)?schema/iu;
const wantsValues =
  /(?<![\p{L}])(?:extract|extrah|extrai|read out|pull out|capture|get (?:me )?(?:all |the )?(?:data|values|fields)|auslesen|lies .* aus)/iu;

/** Chooses the plan for what the person's last message asks for, the most particular readings first. Nothing but that message is read as a request. */
export function planFor(conversation: Conversation): Plan | string {
  const { request } = conversation;
  const resumed = resumeRejected(conversation);
  if (resumed) return resumed;

  const tags = tagRequestIn(request);
  if (tags) return manageTags(tags, conversation);
  if (makesSchema.test(request)) return createAndExtract(conversation, wantsValues.test(request));
  const thing = thingRequestIn(request);
  if (thing) return manageThing(thing, conversation);
  const content = promptContentIn(request);
  if (content !== undefined) return changePrompt(content, conversation);
  const page = pageTextWanted(request);
  if (page !== undefined) return showPageText(page);
  const lists = listsWanted(request);
  if (lists.length > 0) return listThings(lists, conversation);
  const shown = showArtifact(conversation);
  if (shown) return shown;

  if (asksForCheck(request)) return checkResult(conversation);

  const row = rowToRemove(request);
  if (row !== undefined) return removeRow(row, conversation);
  const fields = fieldEditsIn(request);
  if (fields.length > 0) return editSchema(conversation, fields);
  const subject = questionSubject(request);
  const doubted = doubtedField(request);
  if (doubted !== undefined) return `What should it be? Say for example “set the ${doubted} to …”.`;
  const values = subject === undefined ? valueEditsIn(request) : [];
  if (values.length > 0) return patchValues(conversation, values);
  if (
    /^\W*(?:please\s+)?(?:re-?run|run|repeat|redo|again|start)\b.*\b(?:extraction|prompt|again|it)\b/iu.test(request) ||
    wantsValues.test(request)
  ) {
    return extractAgain(conversation);
  }
  const talk = answerSmallTalk(request);
  if (talk !== undefined) return talk;
  return subject === undefined ? admitNotUnderstood() : answerQuestion(subject, conversation);
}
