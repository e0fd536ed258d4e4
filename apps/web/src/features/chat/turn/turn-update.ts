import type { LatestTurn } from '@docwright/contract';
import type { ChatState } from '../../../agent-ui/chat-state.ts';

/**
 * `resume`: stream the turn from the last event. `finished`: it has ended with nothing to show. `reload`: load the
 * conversation again.
 */
type TurnUpdate = 'none' | 'resume' | 'finished' | 'reload';

/** What a page has to do about the newest turn of its thread, which it polls while no stream is open. */
export function turnUpdate(state: ChatState, latest: LatestTurn | null): TurnUpdate {
  if (latest === null || state.phase === 'running') return 'none';
  const isPending = latest.status === 'awaiting_approval' || latest.status === 'awaiting_answers';
  if (latest.turn_id !== state.turnId) {
    const hasEnded = !isPending && latest.status !== 'running';
    // A failed request of this page has left a turn without content: keep its notice on screen.
    return hasEnded && state.turnId === undefined && state.notice !== undefined ? 'finished' : 'reload';
  }
  if (latest.status === 'running') return state.lastEventId > 0 ? 'resume' : 'reload';
  const isShownPending = state.phase !== 'idle';
  return isPending === isShownPending && state.lastEventId >= latest.event_count ? 'none' : 'reload';
}
