import type { TurnAnswer, TurnEvent } from '@docwright/contract';
import type { Output } from '../output.ts';
import { printable, printableLine } from '../terminal-text.ts';

export interface TurnPrinter {
  event(event: TurnEvent): void;
  /** Ends the line that is being written, if one is. */
  endLine(): void;
}

const statusWords: Readonly<Partial<Record<TurnAnswer['status'], string>>> = {
  max_rounds: 'The turn came to its limit of rounds. Say "go on" to continue.',
  stopped: 'The turn was stopped; what was done stays.',
  superseded: 'The turn was superseded by a newer message.',
};

/** Writes what a turn says as it says it: the agent's text to stdout, all else to stderr. */
export function createTurnPrinter(
  output: Pick<Output, 'isLive' | 'style' | 'stream' | 'whisper' | 'note'>,
): TurnPrinter {
  const { style } = output;
  let open: 'text' | 'thinking' | undefined;
  let showsWork = false;

  /** So that somebody who watches sees that the model is at work. */
  function showWork(): void {
    if (!output.isLive || open !== undefined || showsWork) return;
    output.whisper(style('dim', 'working …'));
    showsWork = true;
  }

  function hideWork(): void {
    if (showsWork) output.whisper('\r\u001b[K');
    showsWork = false;
  }

  function switchTo(next: typeof open): void {
    if (open === next) return;
    if (open === 'text') output.stream('\n');
    if (open === 'thinking') output.whisper('\n');
    open = next;
  }

  return {
    endLine() {
      hideWork();
      switchTo(undefined);
    },
    event(event) {
      hideWork();
      switch (event.type) {
        case 'thinking_chunk':
          if (!output.isLive) return;
          switchTo('thinking');
          output.whisper(style('dim', printable(event.chunk)));
          return;
        case 'assistant_text_chunk':
          switchTo('text');
          output.stream(printable(event.chunk));
          return;
        case 'tool_result':
          switchTo(undefined);
          output.note(resultLine(event, style));
          showWork();
          return;
        case 'turn_started':
          if (event.resumed === true && open !== undefined) {
            switchTo(undefined);
            output.note(style('yellow', 'The server was interrupted: this answer begins anew.'));
          }
          showWork();
          return;
        case 'round_executed':
          showWork();
          return;
        case 'error':
          switchTo(undefined);
          return;
        case 'done': {
          switchTo(undefined);
          const words = statusWords[event.result.status];
          if (words !== undefined) output.note(style('yellow', words));
          const { error } = event.result;
          if (error) output.note(style('red', `The turn failed: ${printableLine(error.message)} (${error.code})`));
          return;
        }
        default:
          return;
      }
    },
  };
}

function resultLine(event: Extract<TurnEvent, { type: 'tool_result' }>, style: Output['style']): string {
  const name = printableLine(event.name);
  if (event.success) return `${style('green', '✓')} ${style('dim', `${name}${nameIn(event.result)}`)}`;
  return `${style('red', '✗')} ${name}: ${printableLine(event.error ?? 'failed')}`;
}

/** The name of what a call made or changed, where its result tells one. */
function nameIn(result: unknown): string {
  if (typeof result !== 'object' || result === null) return '';
  const { name, document_name } = result as { name?: unknown; document_name?: unknown };
  const found = name ?? document_name;
  return typeof found === 'string' ? ` ${printableLine(found)}` : '';
}
