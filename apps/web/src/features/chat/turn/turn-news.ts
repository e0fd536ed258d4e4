import type { LatestTurn } from '@docwright/contract';
import type { ChatState } from '../../../agent-ui/chat-state.ts';

/**
 * What the newest turn of the thread means for a page that shows it: nothing new; the turn goes on from what was seen;
 * it is over without anything to show; or the conversation has to be read again.
 */
type TurnNews = 'nothing' | 'goes_on' | 'over' | 'read_again';

/** Polled while no stream is open: a turn that this page runs has its own stream. */
export function turnNews(state: ChatState, latest: LatestTurn | null): TurnNews {
  if (latest === null || state.phase === 'running') return 'nothing';
  const waits = latest.status === 'awaiting_approval' || latest.status === 'awaiting_answers';
  if (latest.turn_id !== state.turnId) {
    const ended = !waits && latest.status !== 'running';
    // What this page asked for in vain has left a turn behind; the notice says more than the thread does.
    return ended && state.turnId === undefined && state.notice !== undefined ? 'over' : 'read_again';
  }
  if (latest.status === 'running') return state.lastEventId > 0 ? 'goes_on' : 'read_again';
  const shownWaiting = state.phase !== 'idle';
  return waits === shownWaiting && state.lastEventId >= latest.event_count ? 'nothing' : 'read_again';
}
