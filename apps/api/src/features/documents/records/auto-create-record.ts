import type { AutoCreateStatus } from '@docwright/contract';

/** The proposal that an unattended run makes for a document, and its state. */
export interface AutoCreateRecord {
  status: AutoCreateStatus;
  run_id: string;
  schema_revid?: string;
  prompt_revid?: string;
  /** The run waits for a decision in the inbox. */
  waiting?: true;
  /** The prompt of `prompt_revid`. Proposals with the same prompt are of one kind. */
  prompt_id?: string;
  /** The existing prompt and schema that the run used instead of creating new ones. */
  reuses?: { prompt_revid: string; schema_revid?: string; accepted: boolean };
  /** The tag of its kind that the document gets with the proposal and loses with its rejection. */
  given_tag?: string;
  /** The decision that accepted or rejected it, and the tag that the document got on acceptance. */
  decision_id?: string;
  accepted_tag?: string;
  done_at?: Date;
  error?: { code: string; message: string };
  /** A stored decision, or the undo of one, that is not executed completely yet. */
  unfinished?: { user_id: string; tag_id?: string; decision_id?: string; undo?: true };
  /** The rejection that was undone, so that the proposal is pending again. */
  undone?: string;
}
