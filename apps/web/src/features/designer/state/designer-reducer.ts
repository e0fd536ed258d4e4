import type {
  Column,
  SchemaChatAnswer,
  SchemaChatMessage,
  SchemaExecuteAnswer,
  PendingTool,
} from '@docwright/contract';
import type { CallResult } from './call-answer.ts';
import { isPending, type Design, type DesignerNotice, type DesignerState } from './designer-state.ts';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { columnFields, fieldLabels } from './column-labels.ts';
import { proposalOf } from './proposals.ts';
import { counted } from '../../../shared/formats/counted.ts';

export type DesignerAction =
  | { type: 'designChanged'; patch: Partial<Omit<Design, 'columns'>> }
  | { type: 'columnAdded'; column: Column }
  | { type: 'columnChanged'; id: string; patch: Partial<Column> }
  | { type: 'columnRemoved'; id: string }
  | { type: 'removalUndone' }
  | { type: 'columnMoved'; id: string; by: -1 | 1 }
  | { type: 'tableChanged'; name: string; columns: Column[] }
  | { type: 'messageSent'; message: SchemaChatMessage }
  | { type: 'continued' }
  | { type: 'asking' }
  | { type: 'answered'; answer: SchemaChatAnswer }
  | { type: 'decided'; ids: string[]; approved: boolean }
  | { type: 'applying' }
  | { type: 'applied'; sent: Design; answer: SchemaExecuteAnswer }
  /** The user's answer to questions or to an image request: the result of that call. */
  | { type: 'callAnswered'; message: CallResult }
  | { type: 'imageChosen'; callId: string; url: string | undefined }
  | { type: 'ended'; notice: DesignerNotice }
  | { type: 'failureDismissed'; id: string }
  | { type: 'replaced'; state: DesignerState };

/** Limit of model answers without a message of the user. */
const maxRounds = 12;

export function designerReducer(state: DesignerState, action: DesignerAction): DesignerState {
  switch (action.type) {
    case 'designChanged':
      return { ...state, design: { ...state.design, ...action.patch } };
    case 'columnRemoved': {
      const index = state.design.columns.findIndex(({ id }) => id === action.id);
      const column = state.design.columns[index];
      if (!column) return state;
      const columns = state.design.columns.toSpliced(index, 1);
      return { ...state, design: { ...state.design, columns }, removed: { column, index } };
    }
    case 'removalUndone': {
      if (!state.removed) return state;
      const { column, index } = state.removed;
      const columns = state.design.columns.toSpliced(index, 0, column);
      return { ...state, design: { ...state.design, columns }, removed: undefined };
    }
    case 'columnAdded':
    case 'columnChanged':
    case 'columnMoved':
      return { ...state, design: { ...state.design, columns: changeColumns(state.design.columns, action) } };
    case 'tableChanged': {
      const tables = { ...state.design.tables, [action.name]: action.columns };
      return { ...state, design: { ...state.design, tables } };
    }
    case 'messageSent':
      return {
        ...state,
        history: [...state.history, action.message],
        phase: 'due',
        rounds: 0,
        failed: [],
        removed: undefined,
        notice: undefined,
      };
    case 'continued':
      return { ...state, phase: 'due', rounds: 0, notice: undefined };
    case 'asking':
      return { ...state, phase: 'thinking', rounds: state.rounds + 1, notice: undefined };
    case 'answered':
      return applyAnswer(state, action.answer);
    case 'decided': {
      const decision = action.approved ? 'approved' : 'declined';
      const decide = (ids: string[]) =>
        state.waiting.map((call) =>
          ids.includes(call.id) && call.decision === undefined ? ({ ...call, decision } as const) : call,
        );
      return { ...state, waiting: decide(action.ids), notice: undefined };
    }
    case 'applying':
      return { ...state, phase: 'applying' };
    case 'applied':
      return applyResults(state, action.sent, action.answer);
    case 'callAnswered': {
      const { message } = action;
      const open = ({ tool_call_id }: { tool_call_id: string }) => tool_call_id !== message.tool_call_id;
      return continueIfComplete({
        ...state,
        history: [...state.history, message],
        questions: state.questions.filter(open),
        imageRequests: state.imageRequests.filter(open),
      });
    }
    case 'imageChosen': {
      const { [action.callId]: _former, ...others } = state.chosenImages;
      return { ...state, chosenImages: action.url === undefined ? others : { ...others, [action.callId]: action.url } };
    }
    case 'ended':
      return {
        ...state,
        phase: 'idle',
        notice: action.notice,
        waiting: state.waiting.map(({ id, function: called }) => ({ id, function: called })),
      };
    case 'failureDismissed':
      return { ...state, failed: state.failed.filter(({ id }) => id !== action.id) };
    case 'replaced':
      return action.state;
  }
}

type ColumnAction = Extract<DesignerAction, { type: 'columnAdded' | 'columnChanged' | 'columnMoved' }>;

function changeColumns(columns: Column[], action: ColumnAction): Column[] {
  switch (action.type) {
    case 'columnAdded':
      return [...columns, action.column];
    case 'columnChanged':
      return columns.map((column) => (column.id === action.id ? { ...column, ...action.patch } : column));
    case 'columnMoved': {
      const from = columns.findIndex(({ id }) => id === action.id);
      const to = from + action.by;
      if (from < 0 || to < 0 || to >= columns.length) return columns;
      return columns.toSpliced(from, 1).toSpliced(to, 0, columns[from]!);
    }
  }
}

function applyAnswer(state: DesignerState, answer: SchemaChatAnswer): DesignerState {
  const { newMessages, pendingTools, questions, imageRequests, documentAnalyses } = answer;
  const next: DesignerState = {
    ...state,
    history: [...state.history, ...newMessages],
    waiting: pendingTools,
    questions,
    imageRequests,
    chosenImages: {},
    labels: { ...state.labels, ...labelsOf(newMessages, allColumns(state.design)) },
    analyses: documentAnalyses,
    phase: 'idle',
  };
  if (!answer.shouldContinue || isPending(next)) return next;
  return state.rounds < maxRounds ? { ...next, phase: 'due' } : { ...next, notice: { kind: 'rounds' } };
}

const allColumns = ({ columns, tables = {} }: Design): Column[] => [...columns, ...Object.values(tables).flat()];

function labelsOf(messages: SchemaChatAnswer['newMessages'], columns: Column[]): Record<string, string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  return Object.fromEntries(calls.map((call) => [call.id, callLabel(call, columns)]));
}

function applyResults(state: DesignerState, sent: Design, answer: SchemaExecuteAnswer): DesignerState {
  const resultOf = (id: string) => answer.results.find((result) => result.id === id);
  const finished = new Set(answer.toolMessages.map(({ tool_call_id }) => tool_call_id));
  const failed = state.waiting.flatMap((call) => {
    const result = call.decision === 'approved' ? resultOf(call.id) : undefined;
    if (result === undefined || result.success) return [];
    return [{ id: call.id, function: call.function, error: result.error ?? 'It could not be applied.' }];
  });
  return continueIfComplete({
    ...state,
    design: mergeDesign(sent, answer, state.design),
    history: [...state.history, ...answer.toolMessages],
    waiting: state.waiting.filter(({ id }) => !finished.has(id)),
    failed: [...state.failed, ...failed],
    phase: 'idle',
  });
}

/** Lets the model continue once every call of its answer has a result. */
function continueIfComplete(state: DesignerState): DesignerState {
  if (state.phase === 'applying' || isPending(state)) return state;
  return state.rounds < maxRounds
    ? { ...state, phase: 'due' }
    : { ...state, phase: 'idle', notice: { kind: 'rounds' } };
}

/** Describes a call in one line. */
function callLabel(call: PendingTool, columns: Column[]): string {
  const proposal = proposalOf(call);
  const nameOf = (id: string) => {
    const found = columns.find((column) => column.id === id);
    return found === undefined ? 'a deleted column' : `“${found.name}”`;
  };
  switch (proposal.kind) {
    case 'add':
      return `Add “${proposal.column.name}”${proposal.table === undefined ? '' : ` to “${proposal.table}”`}`;
    case 'edit': {
      const changed = columnFields.filter((field) => proposal.updates[field] !== undefined);
      const parts = changed.map((field) => fieldLabels[field].toLowerCase()).join(', ');
      return `Change ${nameOf(proposal.columnId)}${parts === '' ? '' : `: ${parts}`}`;
    }
    case 'remove':
      return `Remove ${nameOf(proposal.columnId)}`;
    case 'set': {
      const count = proposal.changes.length;
      return `Change ${counted(count, 'column')}`;
    }
    case 'description':
      return 'Change the document description';
    case 'multiRow':
      return proposal.enabled ? 'Extract many rows per document' : 'Extract one record per document';
    case 'flags':
      return `Set ${Object.keys(proposal.flags).join(', ')}`;
    case 'unreadable':
      return otherCalls[call.function.name]?.(call) ?? call.function.name;
  }
}

function documentIn(call: PendingTool): string {
  const args = parseJson(call.function.arguments);
  const name = isRecord(args) ? (args['documentName'] ?? args['documentId']) : undefined;
  return typeof name === 'string' ? ` ${name}` : '';
}

const otherCalls: Record<string, (call: PendingTool) => string> = {
  ask_questions: () => 'Questions for you',
  request_example_image: () => 'Request for an example image',
  get_current_schema: () => 'Read the columns',
  get_project_settings: () => 'Read the settings',
  get_feature_flags: () => 'Read the feature flags',
  analyze_document: (call) => `Read the document${documentIn(call)}`,
};

/** Merges the changes of applied calls into the current design, which may have been edited meanwhile. */
function mergeDesign(sent: Design, answer: SchemaExecuteAnswer, present: Design): Design {
  const merge = <Value>(before: Value, after: Value, current: Value) =>
    JSON.stringify(before) === JSON.stringify(after) ? current : after;
  return {
    ...present,
    columns: mergeColumns(sent.columns, answer.updatedColumns, present.columns),
    ...(answer.updatedTables.length > 0 && { tables: mergeTables(sent, answer, present) }),
    description: merge(sent.description, answer.updatedDescription, present.description),
    multiRow: merge(sent.multiRow, answer.updatedMultiRowExtraction, present.multiRow),
    featureFlags: merge(sent.featureFlags, answer.updatedFeatureFlags, present.featureFlags),
  };
}

function mergeTables({ tables: sent = {} }: Design, { updatedTables }: SchemaExecuteAnswer, present: Design) {
  const { tables = {} } = present;
  const merged = updatedTables.map(({ name, columns }) => [
    name,
    mergeColumns(sent[name] ?? [], columns, tables[name] ?? []),
  ]);
  return { ...tables, ...(Object.fromEntries(merged) as Record<string, Column[]>) };
}

function mergeColumns(sent: Column[], updated: Column[], present: Column[]): Column[] {
  const before = new Map(sent.map((column) => [column.id, column]));
  const after = new Map(updated.map((column) => [column.id, column]));
  const merged = present.flatMap((column) => {
    const [old, next] = [before.get(column.id), after.get(column.id)];
    if (old === undefined) return [column];
    return next === undefined ? [] : [{ ...column, ...differences(old, next) }];
  });
  const known = new Set(present.map(({ id }) => id));
  return [...merged, ...updated.filter(({ id }) => !before.has(id) && !known.has(id))];
}

function differences(old: Column, next: Column): Partial<Column> {
  const changed = columnFields.filter((field) => old[field] !== next[field]);
  return Object.fromEntries(changed.map((field) => [field, next[field]]));
}
