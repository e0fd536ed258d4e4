/** The upload of one file. */
export interface FileUpload {
  id: number;
  name: string;
  size: number;
  /** The share of its bytes that is sent, 0 to 1. */
  progress: number;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  error?: string;
  /** Set if the file has the same bytes as another document: it is not read. */
  duplicate?: DuplicateUpload;
}

export interface DuplicateUpload {
  documentId: string;
  /** The document with the same bytes. */
  original: { id: string; name: string };
}

type UploadAction =
  | { type: 'added'; uploads: Pick<FileUpload, 'id' | 'name' | 'size'>[] }
  | { type: 'progress'; id: number; progress: number }
  | { type: 'done'; id: number; duplicate?: DuplicateUpload | undefined }
  | { type: 'kept'; id: number }
  | { type: 'failed'; id: number; error: string }
  /** All that failed are sent again. */
  | { type: 'repeated' }
  | { type: 'dismissed'; id: number }
  | { type: 'all_dismissed' };

export function uploadReducer(uploads: FileUpload[], action: UploadAction): FileUpload[] {
  const change = (id: number, patch: Partial<FileUpload>) =>
    uploads.map((upload) => (upload.id === id ? { ...upload, ...patch } : upload));
  switch (action.type) {
    case 'added':
      return [...uploads, ...action.uploads.map((each): FileUpload => ({ ...each, progress: 0, state: 'waiting' }))];
    case 'progress':
      return change(action.id, { state: 'sending', progress: action.progress });
    case 'done':
      return change(action.id, {
        state: 'done',
        progress: 1,
        ...(action.duplicate && { duplicate: action.duplicate }),
      });
    case 'kept':
      return uploads.map(({ duplicate, ...upload }) =>
        upload.id === action.id || duplicate === undefined ? upload : { ...upload, duplicate },
      );
    case 'failed':
      return change(action.id, { state: 'failed', error: action.error });
    case 'repeated':
      return uploads.map(({ error, ...upload }) =>
        error === undefined ? upload : { ...upload, progress: 0, state: 'waiting' },
      );
    case 'dismissed':
      return uploads.filter((upload) => upload.id !== action.id);
    case 'all_dismissed':
      return [];
  }
}
