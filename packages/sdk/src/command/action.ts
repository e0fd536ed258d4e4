import type { OnAsk } from '@docwright/contract';
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { exitCodes, UsageError, type ExitCode } from './exit-codes.ts';

/** Creates a command's context, and is called when the command has finished. */
export interface Host {
  contextOf(command: Command): CommandContext;
  onEnd(code: ExitCode): void;
}

/** A command's implementation: its arguments in order, then its own options. Returning nothing means success. */
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

/** `a,b`, given once or repeatedly. */
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
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`"${value}" is not a whole number from 1 on.`);
  return count;
}

/** `--park` and `--no-park`: what happens to a call that needs approval. Without them, the server's default applies. */
export function onAskOf({ park }: { park?: boolean | undefined }): { on_ask?: OnAsk } {
  return park === undefined ? {} : { on_ask: park ? 'park' : 'deny' };
}
