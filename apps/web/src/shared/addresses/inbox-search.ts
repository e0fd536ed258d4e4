/** Query string of the inbox: which calls are listed, and which group is open. */
export interface InboxSearch {
  /** Calls of the user's own chats, or of runs and schedules. */
  from?: 'chats' | 'runs';
  tool?: string;
  run?: string;
  document?: string;
  group?: string;
}

const maxLength = 200;
const objectId = /^[\da-f]{24}$/i;

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const { from, tool, run, document, group } = search;
  return {
    ...(from === 'chats' || from === 'runs' ? { from } : {}),
    ...(isText(tool) ? { tool } : {}),
    ...(isId(run) ? { run } : {}),
    ...(isId(document) ? { document } : {}),
    ...(isText(group) ? { group } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength;
}

function isId(value: unknown): value is string {
  return isText(value) && objectId.test(value);
}
