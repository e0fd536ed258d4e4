import type { OnAsk } from '@docwright/contract';
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { exitCodes, UsageError, type ExitCode } from './exit-codes.ts';

/** The caller of the commands. It creates the context of a command, and gets its exit code. */
export interface Host {
  contextOf(command: Command): CommandContext;
  onEnd(code: ExitCode): void;
}

/**
 * Adapts the implementation of a command to commander. `work` gets the arguments in order and the command's own options.
 * Returning nothing means success.
 */
export function action<Arguments extends readonly unknown[], Options>(
  host: Host,
  work: (context: CommandContext, args: Arguments, options: Options) => Promise<ExitCode | void>,
): (...given: [...Arguments, Options, Command]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const context = host.contextOf(command);
    try {
      const code = await work(context, command.processedArgs as unknown as Arguments, command.opts<Options & object>());
      host.onEnd(code ?? exitCodes.ok);
    } finally {
      context.asker.close();
    }
  };
}

/** An option that can be repeated. */
export function repeatedOption(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** An option with comma-separated values, which can be repeated. */
export function listOption(value: string, before: string[] = []): string[] {
  return [
    ...before,
    ...value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ];
}

export function countOption(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`"${value}" is not a whole number of at least 1.`);
  return count;
}

/** Reads `--park` and `--no-park`, which decide what happens to a call that needs approval. By default the server decides. */
export function onAskOf({ park }: { park?: boolean | undefined }): { on_ask?: OnAsk } {
  return park === undefined ? {} : { on_ask: park ? 'park' : 'deny' };
}
