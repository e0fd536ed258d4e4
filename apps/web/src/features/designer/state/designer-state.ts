import type {
  AskedQuestion,
  Column,
  DocumentAnalysis,
  FeatureFlags,
  ImageRequest,
  PendingTool,
  SchemaChatMessage,
} from '@docwright/contract';

/** The editable parts of a schema. */
export interface Design {
  name: string;
  columns: Column[];
  /** Columns of lists of objects, by the name of the list. */
  tables?: Record<string, Column[]>;
  /** Whether each row of a document becomes a record, instead of one record per document. */
  multiRow: boolean;
  /** Describes the documents to the agent. */
  description: string;
  featureFlags: FeatureFlags;
}

/** A call that needs a decision, or whose decision is being applied. */
export interface ColumnCall extends PendingTool {
  decision?: 'approved' | 'declined';
}

/** An approved call that could not be applied. */
export interface FailedCall extends PendingTool {
  error: string;
}

/**
 * `due`: every call of the last answer has its result, and the model is asked next. `thinking`: waiting for the model.
 * `applying`: waiting for the server to apply decisions.
 */
type Phase = 'idle' | 'due' | 'thinking' | 'applying';

export interface DesignerNotice {
  kind: 'failed' | 'stopped' | 'interrupted' | 'rounds' | 'not_applied';
  message?: string;
}

/** The state of the page; the server stores nothing between requests. Drafts in local storage contain it. */
export interface DesignerState {
  design: Design;
  /** Messages in OpenAI's format. */
  history: SchemaChatMessage[];
  waiting: ColumnCall[];
  questions: AskedQuestion[];
  imageRequests: ImageRequest[];
  /** Chosen images that are not sent yet, by call id. */
  chosenImages: Record<string, string>;
  failed: FailedCall[];
  /** Descriptions of calls by id, with the column names at the time of the call. */
  labels: Record<string, string>;
  analyses: DocumentAnalysis[];
  /** The last removed column and its index, for undo. */
  removed?: { column: Column; index: number } | undefined;
  phase: Phase;
  /** Answers of the model since the user's last message. */
  rounds: number;
  notice?: DesignerNotice | undefined;
}

export const emptyDesign: Design = { name: '', columns: [], multiRow: false, description: '', featureFlags: {} };

export const newDesigner = (design: Design): DesignerState => ({
  design,
  history: [],
  waiting: [],
  questions: [],
  imageRequests: [],
  chosenImages: {},
  failed: [],
  labels: {},
  analyses: [],
  phase: 'idle',
  rounds: 0,
});

/** Whether the agent needs a decision or an answer of the user. */
export const isPending = ({ waiting, questions, imageRequests }: DesignerState): boolean =>
  waiting.length > 0 || questions.length > 0 || imageRequests.length > 0;

export const undecidedCalls = ({ waiting }: DesignerState): ColumnCall[] =>
  waiting.filter(({ decision }) => decision === undefined);

/** The decided calls that the server has not applied yet. */
export const decidedCalls = ({ waiting }: DesignerState): ColumnCall[] =>
  waiting.filter(({ decision }) => decision !== undefined);
