import type { Document } from '@docwright/contract';

/** One file on its way. */
export interface Upload {
  id: number;
  name: string;
  size: number;
  /** 0–1 of the bytes that have left. */
  progress: number;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  document?: Document;
  error?: string;
}

export type UploadAction =
  | { type: 'added'; uploads: Pick<Upload, 'id' | 'name' | 'size'>[] }
  | { type: 'progress'; id: number; progress: number }
  | { type: 'done'; id: number; document: Document }
  | { type: 'failed'; id: number; error: string }
  | { type: 'dismissed'; id: number }
  | { type: 'finished_dismissed' };

export function uploadReducer(uploads: Upload[], action: UploadAction): Upload[] {
  const change = (id: number, patch: Partial<Upload>) =>
    uploads.map((upload) => (upload.id === id ? { ...upload, ...patch } : upload));
  switch (action.type) {
    case 'added':
      return [...uploads, ...action.uploads.map((each): Upload => ({ ...each, progress: 0, state: 'waiting' }))];
    case 'progress':
      return change(action.id, { state: 'sending', progress: action.progress });
    case 'done':
      return change(action.id, { state: 'done', progress: 1, document: action.document });
    case 'failed':
      return change(action.id, { state: 'failed', error: action.error });
    case 'dismissed':
      return uploads.filter((upload) => upload.id !== action.id);
    case 'finished_dismissed':
      return uploads.filter((upload) => upload.state !== 'done');
  }
}
