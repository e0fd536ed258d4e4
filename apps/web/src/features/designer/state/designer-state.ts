import type {
  AskedQuestion,
  Column,
  DocumentAnalysis,
  FeatureFlags,
  ImageRequest,
  PendingTool,
  SchemaChatMessage,
} from '@docwright/contract';

/** What a schema is made of here. */
export interface Design {
  name: string;
  columns: Column[];
  /** By name: the columns of lists of objects, which are tables of their own. */
  tables?: Record<string, Column[]>;
  /** One record for each row of the document, instead of one for the whole. */
  multiRow: boolean;
  /** What the documents are, for the agent. */
  description: string;
  featureFlags: FeatureFlags;
}

/** A call that waits for the person, or whose decision is on its way. */
export interface ColumnCall extends PendingTool {
  decision?: 'approved' | 'declined';
}

/** An approved call that could not be applied. */
export interface FailedCall extends PendingTool {
  error: string;
}

/**
 * `due`: every call of the last answer has its result, the model is to be asked next.
 * `thinking`: the model is being asked. `applying`: decisions are being carried out.
 */
type Phase = 'idle' | 'due' | 'thinking' | 'applying';

export interface DesignerNotice {
  kind: 'failed' | 'stopped' | 'interrupted' | 'rounds' | 'not_applied';
  message?: string;
}

/** All that the page holds: the server keeps nothing between two requests. */
export interface DesignerState {
  design: Design;
  /** In OpenAI's form, as it is sent. */
  history: SchemaChatMessage[];
  waiting: ColumnCall[];
  questions: AskedQuestion[];
  imageRequests: ImageRequest[];
  /** By call id: images chosen and not shown to the agent yet. */
  chosenImages: Record<string, string>;
  failed: FailedCall[];
  /** By call id: what each call is, in the words of when it came. */
  labels: Record<string, string>;
  analyses: DocumentAnalysis[];
  /** The column that was taken out by hand last, and where it stood. */
  removed?: { column: Column; index: number } | undefined;
  phase: Phase;
  /** Answers of the model since the person last wrote. */
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

/** Whether the agent waits for the person. */
export const waitsForPerson = ({ waiting, questions, imageRequests }: DesignerState): boolean =>
  waiting.length > 0 || questions.length > 0 || imageRequests.length > 0;

export const undecidedCalls = ({ waiting }: DesignerState): ColumnCall[] =>
  waiting.filter(({ decision }) => decision === undefined);

/** Those that the server is to carry out or put down as declined. */
export const decidedCalls = ({ waiting }: DesignerState): ColumnCall[] =>
  waiting.filter(({ decision }) => decision !== undefined);
