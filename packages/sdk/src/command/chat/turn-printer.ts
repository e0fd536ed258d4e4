import type { TurnAnswer, TurnEvent } from '@docwright/contract';
import type { Output } from '../terminal/output.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';

export interface TurnPrinter {
  event(event: TurnEvent): void;
  /** Ends the current line, if one is open. */
  endLine(): void;
}

const statusLabel: Readonly<Partial<Record<TurnAnswer['status'], string>>> = {
  max_rounds: 'The turn reached its limit of rounds. Send "go on" to continue.',
  stopped: 'The turn was stopped. Its changes so far are preserved.',
  superseded: 'The turn was superseded by a newer message.',
};

/** Prints the events of a turn as they arrive: the agent's text to stdout, everything else to stderr. */
export function createTurnPrinter(
  output: Pick<Output, 'isLive' | 'style' | 'stream' | 'whisper' | 'note'>,
): TurnPrinter {
  const { style } = output;
  let open: 'text' | 'thinking' | undefined;
  let showsWork = false;

  /** Shows the user that the model is working. */
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
            output.note(style('yellow', 'The server was interrupted: this answer starts again.'));
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
          const label = statusLabel[event.result.status];
          if (label !== undefined) output.note(style('yellow', label));
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

/** The name of the item that a call created or changed, if its result contains one. */
function nameIn(result: unknown): string {
  if (typeof result !== 'object' || result === null) return '';
  const { name, document_name } = result as { name?: unknown; document_name?: unknown };
  const found = name ?? document_name;
  return typeof found === 'string' ? ` ${printableLine(found)}` : '';
}
