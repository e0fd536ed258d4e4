import { useEffect, useRef, useState } from 'react';
import { openExport, type ResultRequest } from '../../../shared/api/results-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { saveFile } from '../../../shared/formats/save-file.ts';
import { createRowCounter, type ExportFormat } from './count-rows.ts';

export const exportTypes: Record<ExportFormat, { label: string; mimeType: string }> = {
  xlsx: {
    label: 'Excel (XLSX)',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  csv: { label: 'CSV', mimeType: 'text/csv' },
  ndjson: { label: 'JSON, a line for each row', mimeType: 'application/x-ndjson' },
};

/** An export that runs, or why the last one failed. */
interface ExportProgress {
  format: ExportFormat;
  total: number;
  /** Undefined while the number of rows is not known. */
  rows: number | undefined;
  bytes: number;
  error?: string;
}

/** The page shows progress that often: rows arrive faster than users can read. */
const showEveryMs = 150;

/** Downloads all selected rows as a file, with progress and stop. */
export function useExport(orgId: string, promptId: string, name: string) {
  const [progress, setProgress] = useState<ExportProgress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (format: ExportFormat, request: ResultRequest, total: number) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { mimeType } = exportTypes[format];
    const state: ExportProgress = { format, total, rows: format === 'xlsx' ? undefined : 0, bytes: 0 };
    setProgress(state);
    try {
      const response = await openExport(orgId, promptId, request, mimeType, controller.signal);
      const count = createRowCounter(format);
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      let shownAt = 0;
      const reader = response.body!.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        pieces.push(value);
        state.bytes += value.length;
        state.rows = count(value);
        if (performance.now() - shownAt < showEveryMs) continue;
        shownAt = performance.now();
        setProgress({ ...state });
      }
      saveFile(`${name.replaceAll(/[\\/:*?"<>|]/gu, '_')}.${format}`, new Blob(pieces, { type: mimeType }));
      setProgress(undefined);
    } catch (error) {
      if (!controller.signal.aborted) setProgress({ ...state, error: messageOf(error) });
    }
  };
  return {
    progress,
    start,
    stop: () => {
      running.current?.abort();
      setProgress(undefined);
    },
  };
}
