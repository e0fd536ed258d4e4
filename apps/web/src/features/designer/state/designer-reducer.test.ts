import { describe, expect, it } from 'vitest';
import { answersResult } from './call-answer.ts';
import { designerReducer, type DesignerAction } from './designer-reducer.ts';
import { decidedCalls, emptyDesign, newDesigner, undecidedCalls, type DesignerState } from './designer-state.ts';
import { answer, call, column, executed } from '../testing/schema-answers.ts';

const total = column('c1', 'Total', { type: 'currency' });
const date = column('c2', 'Date', { type: 'date' });
const start = newDesigner({ ...emptyDesign, columns: [total] });
const after = (state: DesignerState, ...actions: DesignerAction[]) => actions.reduce(designerReducer, state);
const sendAndAsk: DesignerAction[] = [
  { type: 'messageSent', message: { role: 'user', content: 'The date, too' } },
  { type: 'asking' },
];
const addDate = call('call_1', 'add_column', { name: 'Date', type: 'date' });
const addTotal = call('call_2', 'add_column', { name: 'total' });

const questions = [
  {
    tool_call_id: 'call_3',
    id: 'q',
    header: 'Dates',
    questionText: 'Which?',
    options: [],
    multiSelect: false,
    allowOther: true,
  },
];

describe('the conversation', () => {
  it('asks the model after a message, and is pending until its proposals are decided', () => {
    const sent = after(start, sendAndAsk[0]!);
    expect(sent.phase).toBe('due');
    const answered = after(sent, sendAndAsk[1]!, { type: 'answered', answer: answer('Two.', [addDate, addTotal]) });
    expect(answered.phase).toBe('idle');
    expect(undecidedCalls(answered).map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    expect(answered.labels).toEqual({ call_1: 'Add “Date”', call_2: 'Add “total”' });
    expect(answered.design.columns).toEqual([total]);
  });

  it('continues once every call of the answer has its result', () => {
    const answered = after(start, ...sendAndAsk, {
      type: 'answered',
      answer: answer('', [addDate], { questions }),
    });
    const approved = after(
      answered,
      { type: 'decided', ids: ['call_1'], approved: true },
      { type: 'applying' },
      { type: 'applied', sent: answered.design, answer: executed([total, date], { call_1: undefined }) },
    );
    expect(approved.phase).toBe('idle');
    expect(approved.design.columns).toEqual([total, date]);
    const complete = after(approved, { type: 'callAnswered', message: answersResult('call_3', []) });
    expect(complete.phase).toBe('due');
    expect(complete.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
  });

  it('keeps answers given while decisions are applied', () => {
    const applying = after(
      start,
      ...sendAndAsk,
      { type: 'answered', answer: answer('', [addDate], { questions }) },
      { type: 'decided', ids: ['call_1'], approved: true },
      { type: 'applying' },
      { type: 'callAnswered', message: answersResult('call_3', []) },
    );
    expect(applying.phase).toBe('applying');
    const done = after(applying, {
      type: 'applied',
      sent: start.design,
      answer: executed([total, date], { call_1: undefined }),
    });
    expect(done.phase).toBe('due');
  });

  it('keeps the error of a failed call without affecting the others', () => {
    const done = after(
      start,
      ...sendAndAsk,
      { type: 'answered', answer: answer('', [addDate, addTotal]) },
      { type: 'decided', ids: ['call_1', 'call_2'], approved: true },
      { type: 'applying' },
      {
        type: 'applied',
        sent: start.design,
        answer: executed([total, date], { call_1: undefined, call_2: 'The name is taken.' }),
      },
    );
    expect(done.design.columns).toEqual([total, date]);
    expect(done.failed.map(({ id, error }) => [id, error])).toEqual([['call_2', 'The name is taken.']]);
    expect(done.phase).toBe('due');
  });

  it('sends decisions made while others are applied with the next request', () => {
    const applying = after(
      start,
      ...sendAndAsk,
      { type: 'answered', answer: answer('', [addDate, addTotal]) },
      { type: 'decided', ids: ['call_1'], approved: true },
      { type: 'applying' },
      { type: 'decided', ids: ['call_2'], approved: false },
    );
    const done = after(applying, {
      type: 'applied',
      sent: start.design,
      answer: executed([total, date], { call_1: undefined }),
    });
    expect(done.phase).toBe('idle');
    expect(decidedCalls(done)).toMatchObject([{ id: 'call_2', decision: 'declined' }]);
  });

  it('reopens decisions that could not be applied', () => {
    const failed = after(
      start,
      ...sendAndAsk,
      { type: 'answered', answer: answer('', [addDate]) },
      { type: 'decided', ids: ['call_1'], approved: true },
      { type: 'applying' },
      { type: 'ended', notice: { kind: 'not_applied', message: 'The server did not answer.' } },
    );
    expect(undecidedCalls(failed)).toHaveLength(1);
    expect(failed.notice?.kind).toBe('not_applied');
  });

  it('asks the model again once all is decided, and ends with its answer', () => {
    const decided = after(
      start,
      ...sendAndAsk,
      { type: 'answered', answer: answer('', [addDate]) },
      { type: 'decided', ids: ['call_1'], approved: true },
      { type: 'applying' },
      { type: 'applied', sent: start.design, answer: executed([total, date], { call_1: undefined }) },
    );
    expect(decided.phase).toBe('due');
    const closed = after(decided, { type: 'asking' }, { type: 'answered', answer: answer('Total and date it is.') });
    expect([closed.phase, closed.notice]).toEqual(['idle', undefined]);
    expect(closed.history.at(-1)).toMatchObject({ role: 'assistant', content: 'Total and date it is.' });
  });

  it('lets the model continue by itself up to a limit', () => {
    let state = after(start, sendAndAsk[0]!);
    for (let round = 0; round < 12; round += 1) {
      expect(state.phase).toBe('due');
      state = after(state, { type: 'asking' }, { type: 'answered', answer: answer('…', [], { shouldContinue: true }) });
    }
    expect([state.phase, state.notice?.kind]).toEqual(['idle', 'rounds']);
    expect(after(state, { type: 'continued' }).phase).toBe('due');
  });
});

describe('the columns', () => {
  it('keep edits made while a call is applied', () => {
    const applying = after(
      start,
      ...sendAndAsk,
      { type: 'answered', answer: answer('', [addDate]) },
      { type: 'decided', ids: ['call_1'], approved: true },
      { type: 'applying' },
      { type: 'columnChanged', id: 'c1', patch: { description: 'With tax' } },
      { type: 'columnAdded', column: column('own_2', 'Supplier') },
    );
    const renamed = { ...total, name: 'Sum' };
    const done = after(applying, {
      type: 'applied',
      sent: start.design,
      answer: executed([renamed, date], { call_1: undefined }),
    });
    expect(done.design.columns).toEqual([{ ...renamed, description: 'With tax' }, column('own_2', 'Supplier'), date]);
  });

  it('of a list are merged without affecting other lists, and keep edits', () => {
    const [sku, price] = [column('l1', 'SKU'), column('l2', 'Price')];
    const tables = { items: [sku], fees: [column('l3', 'Fee')] };
    const sent = { ...start.design, tables };
    const design = { ...sent, tables: { ...tables, items: [{ ...sku, description: 'By hand' }] } };
    const answer = {
      ...executed(sent.columns, {}),
      updatedTables: [{ name: 'items', columns: [{ ...sku, name: 'Article' }, price] }],
    };
    const done = designerReducer({ ...start, design }, { type: 'applied', sent, answer });
    expect(done.design.tables).toEqual({
      items: [{ ...sku, name: 'Article', description: 'By hand' }, price],
      fees: tables.fees,
    });
  });

  it('return to their place when their removal is undone', () => {
    const two = newDesigner({ ...emptyDesign, columns: [total, date] });
    const removed = after(two, { type: 'columnRemoved', id: 'c1' });
    expect(removed.design.columns).toEqual([date]);
    expect(after(removed, { type: 'removalUndone' }).design.columns).toEqual([total, date]);
  });

  it('move by one within the table', () => {
    const two = newDesigner({ ...emptyDesign, columns: [total, date] });
    expect(after(two, { type: 'columnMoved', id: 'c2', by: -1 }).design.columns).toEqual([date, total]);
    expect(after(two, { type: 'columnMoved', id: 'c2', by: 1 }).design.columns).toEqual([total, date]);
  });
});
