import type { AgentMessageEvent, Uncertainty } from '@docwright/contract';
import type { Output } from '../terminal/output.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';
import { pipelineLine } from './pipeline-line.ts';

export interface AnswerPrinter {
  event(event: AgentMessageEvent): void;
  /** Ends the current line, if one is open. */
  endLine(): void;
}

/** Prints an answer of the pipeline agent as it arrives: its text to stdout, everything else to stderr. */
export function createAnswerPrinter(
  output: Pick<Output, 'isLive' | 'style' | 'stream' | 'whisper' | 'note'>,
): AnswerPrinter {
  const { style } = output;
  let isWritingText = false;
  let showsWork = false;

  function hideWork(): void {
    if (showsWork) output.whisper('\r\u001b[K');
    showsWork = false;
  }

  function endLine(): void {
    hideWork();
    if (isWritingText) output.stream('\n');
    isWritingText = false;
  }

  function note(text: string): void {
    endLine();
    output.note(text);
  }

  return {
    endLine,
    event(event) {
      switch (event.type) {
        case 'text':
          hideWork();
          isWritingText = true;
          output.stream(printable(event.content));
          return;
        case 'status':
          if (event.message !== undefined) note(style('dim', `  · ${printableLine(event.message)}${countOf(event)}`));
          else if (output.isLive && !isWritingText && !showsWork) {
            output.whisper(style('dim', 'working …'));
            showsWork = true;
          }
          return;
        case 'tool_call_end':
          note(`${event.success ? style('green', '✓') : style('red', '✗')} ${style('dim', printableLine(event.name))}`);
          return;
        case 'subagent_start':
          note(style('dim', `${printableLine(event.agent_id)} started`));
          return;
        case 'subagent_end':
          note(`${event.success ? style('green', '✓') : style('yellow', '!')} ${printableLine(event.summary)}`);
          return;
        case 'uncertainty':
          note(uncertaintyLine(event.uncertainty, style));
          return;
        case 'pipeline_update':
          note(style('cyan', `Pipeline: ${pipelineLine(event.pipeline)}`));
          return;
        case 'question':
          note(printable(event.message));
          return;
        case 'done':
        case 'error':
          endLine();
          return;
        default:
      }
    },
  };
}

function countOf({ done, total }: { done?: number | undefined; total?: number | undefined }): string {
  return done === undefined || total === undefined ? '' : ` (${done} of ${total})`;
}

export function uncertaintyLine({ severity, message }: Uncertainty, style: Output['style']): string {
  const color = { blocking: 'red', notable: 'yellow', info: 'dim' } as const;
  return `${style(color[severity], `! ${severity}:`)} ${printableLine(message)}`;
}
