import type { VersionAuthor, WriteOriginInfo } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';

const kinds: Record<WriteOriginInfo['kind'], VersionAuthor['kind']> = {
  api: 'person',
  chat: 'chat',
  mcp: 'chat',
  run: 'run',
  schedule: 'run',
  arrival: 'run',
  auto_create: 'run',
};

/** The author of a version. A write without an origin is made by a user over the API. */
export function authorOf({ userId }: Pick<Actor, 'userId'>, origin: WriteOrigin | undefined): VersionAuthor {
  const { source, thread_id, turn_id, run_id, call_id } = origin ?? {};
  // An extraction of a run has no turn: its `turn_id` is the id of its own call.
  const isTurn = turn_id !== call_id;
  const from: WriteOriginInfo = source ?? (thread_id === undefined ? { kind: 'api' } : { kind: 'chat', id: thread_id });
  const kind = kinds[from.kind];
  return {
    kind,
    user_id: userId,
    origin: from,
    ...(kind !== 'person' && isTurn && thread_id !== undefined && { thread_id }),
    ...(kind !== 'person' && isTurn && turn_id !== undefined && { turn_id }),
    ...(run_id !== undefined && { run_id }),
  };
}
