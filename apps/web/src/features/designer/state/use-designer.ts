import type { Column } from '@docwright/contract';
import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { askSchemaChat, executeSchemaCalls } from '../../../shared/api/schema-chat-api.ts';
import { checkKey, type CheckedField, type RejectedTexts } from './column-check.ts';
import { withNewestImages } from './example-image.ts';
import { designerReducer, type DesignerAction } from './designer-reducer.ts';
import { decidedCalls, emptyDesign, type Design, type DesignerState } from './designer-state.ts';

export type DesignerHandle = ReturnType<typeof useDesigner>;

const dropped = 'dropped';

/** The design as the server expects it in both modes. */
const projectOf = (orgId: string, design: Design) => ({
  projectId: orgId,
  currentColumns: design.columns,
  currentTables: Object.entries(design.tables ?? {}).map(([name, columns]) => ({ name, columns })),
  projectDescription: design.description,
  multiRowExtraction: design.multiRow,
  featureFlags: design.featureFlags,
});

/** Runs the design and its conversation: sends the requests that the state calls for, one at a time. */
export function useDesigner(orgId: string, start: DesignerState, model: string | undefined) {
  const [state, dispatch] = useReducer(designerReducer, start);
  const running = useRef<AbortController>(undefined);

  const run = async (request: (signal: AbortSignal) => Promise<DesignerAction>, failure: 'failed' | 'not_applied') => {
    const controller = new AbortController();
    running.current = controller;
    try {
      dispatch(await request(controller.signal));
    } catch (error) {
      if (controller.signal.reason === dropped) return;
      const notice = controller.signal.aborted
        ? ({ kind: 'stopped' } as const)
        : { kind: failure, message: messageOf(error) };
      dispatch({ type: 'ended', notice });
    } finally {
      running.current = undefined;
    }
  };
  const sendNext = useEffectEvent((present: DesignerState) => {
    if (running.current !== undefined) return;
    const { design, history, analyses, phase } = present;
    const project = projectOf(orgId, design);
    if (phase === 'due') {
      dispatch({ type: 'asking' });
      const settings = model === undefined ? {} : { modelName: model };
      const body = { messages: withNewestImages(history), settings, documentAnalyses: analyses, ...project };
      void run(async (signal) => ({ type: 'answered', answer: await askSchemaChat(orgId, body, signal) }), 'failed');
    }
    const decided = decidedCalls(present);
    if (phase === 'idle' && decided.length > 0) {
      dispatch({ type: 'applying' });
      const toolDecisions = decided.map(({ id, function: called, decision }) => ({
        id,
        function: called,
        approved: decision === 'approved',
      }));
      void run(async (signal) => {
        const answer = await executeSchemaCalls(orgId, { toolDecisions, ...project }, signal);
        return { type: 'applied', sent: design, answer };
      }, 'not_applied');
    }
  });
  useEffect(() => {
    sendNext(state);
  }, [state]);
  useEffect(() => () => running.current?.abort(dropped), []);
  return {
    state,
    dispatch,
    /** Aborts the current request; earlier answers stay. */
    stop: () => running.current?.abort(),
    /** Replaces the state and drops the current request. */
    replace(next: DesignerState) {
      running.current?.abort(dropped);
      dispatch({ type: 'replaced', state: next });
    },
  };
}

/**
 * Validates patterns and allowed values on the server, whose engine for patterns differs from the browser's. The server
 * applies the edit to a single column and stores nothing.
 */
export function useServerCheck(orgId: string) {
  const [rejected, setRejected] = useState<RejectedTexts>({});
  const checked = useRef(new Set<string>());
  const check = useCallback(
    (column: Column, field: CheckedField) => {
      const key = checkKey(column, field);
      if (column[field].trim() === '' || checked.current.has(key)) return;
      checked.current.add(key);
      const run = async () => {
        const problem = await problemWith(orgId, column, field);
        if (problem !== undefined) setRejected((present) => ({ ...present, [key]: problem }));
      };
      // After a failed request the next edit checks again, and saving reports the problem.
      void run().catch(() => checked.current.delete(key));
    },
    [orgId],
  );
  return {
    rejected,
    /** Called when a field loses the focus. */
    check,
  };
}

async function problemWith(orgId: string, column: Column, field: CheckedField): Promise<string | undefined> {
  const testColumn = { ...column, name: 'Column', allowedValues: '', regex: '' };
  const args = JSON.stringify({ columnId: column.id, updates: { [field]: column[field] } });
  const answer = await executeSchemaCalls(orgId, {
    toolDecisions: [{ id: 'check', function: { name: 'edit_column', arguments: args }, approved: true }],
    ...projectOf(orgId, { ...emptyDesign, columns: [testColumn] }),
  });
  const [result] = answer.results;
  return result?.success === false ? (result.error ?? 'Not accepted.') : undefined;
}
