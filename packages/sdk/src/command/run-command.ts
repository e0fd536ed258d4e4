import { CommanderError, type Command } from 'commander';
import { DocwrightError } from '../client/docwright-error.ts';
import type { Host } from './context/action.ts';
import type { CommandContext, GlobalOptions, Surroundings } from './context/context.ts';
import { exitCodeOf, exitCodes, Interrupted, type ExitCode } from './context/exit-codes.ts';
import { createProgram } from './program.ts';
import { createAsker } from './terminal/asker.ts';
import { createOutput, wantsColor, type Output } from './terminal/output.ts';
import { printable, printableJson } from './terminal/terminal-text.ts';

/** Runs the command with these arguments, on this process's streams by default, and returns its exit code. */
export async function runCommand(
  args: readonly string[],
  version: string,
  surroundings: Surroundings = process,
): Promise<ExitCode> {
  const { env, stdout, stderr } = surroundings;
  const interrupts = createInterrupts();
  let outcome: ExitCode = exitCodes.ok;
  const host: Host = {
    contextOf: (command) => contextOf(command, surroundings, interrupts),
    onEnd(code) {
      outcome = code;
    },
  };
  const program = createProgram(host, version, {
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return outcome;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.ok;
      // The parser can fail before it reaches --json.
      const json = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).includes('--json');
      const output = createOutput({ stdout, stderr, json, color: false });
      output.data({ error: { code: 'usage', message: usageMessage(error) } });
      return exitCodes.usage;
    }
    const { json, debug, color } = program.opts<GlobalOptions>();
    const output = createOutput({ stdout, stderr, json: json === true, color: wantsColor(env, color) });
    reportError(error, output, { debug: debug === true, env });
    return exitCodeOf(error);
  } finally {
    interrupts.close();
  }
}

function contextOf(command: Command, surroundings: Surroundings, interrupts: Interrupts): CommandContext {
  const global = command.optsWithGlobals<GlobalOptions>();
  const { env, stdin, stdout, stderr } = surroundings;
  return {
    env,
    stdout,
    stderr,
    global,
    output: createOutput({ stdout, stderr, json: global.json === true, color: wantsColor(env, global.color) }),
    asker: createAsker(stdin, stderr, env),
    onInterrupt: interrupts.listen,
    signal: interrupts.signal,
  };
}

/** One line for the user; with `--json` also the error in the API's form. */
function reportError(error: unknown, output: Output, { debug, env }: { debug: boolean; env: NodeJS.ProcessEnv }): void {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof DocwrightError ? error : undefined;
  if (!(error instanceof Interrupted)) {
    output.data({
      error: {
        code: known?.code ?? (exitCodeOf(error) === exitCodes.usage ? 'usage' : 'failed'),
        message,
        ...(known && { status: known.status, request_id: known.request_id, details: known.details }),
      },
    });
  }
  output.note(output.style('red', printable(message)) + hintFor(known, env));
  if (known?.details !== undefined && debug) output.note(printableJson(known.details, 2));
  if (debug && error instanceof Error) output.note(printable(stackOf(error)));
}

/** The message of a usage error as a sentence. The library has already printed it to standard error. */
function usageMessage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'Name a command.';
  const [first = '', ...more] = message.replace(/^error: /u, '').split('\n');
  const suggestion = more
    .join(' ')
    .replace(/^\(?(.*?)\)?$/u, ' $1')
    .trimEnd();
  return `${first.charAt(0).toUpperCase()}${first.slice(1)}.${suggestion}`;
}

function hintFor(error: DocwrightError | undefined, env: NodeJS.ProcessEnv): string {
  if (error === undefined) return '';
  const { status, code, request_id } = error;
  if (status === 401 && code === 'bad_credentials') {
    return env['DOCWRIGHT_TOKEN'] ? ' The token is from DOCWRIGHT_TOKEN.' : ' Use: docwright login';
  }
  if (code === 'wrong_credentials')
    return ' If you have no password yet, open the link that the server printed and set one in Settings.';
  return status >= 500 && request_id !== undefined ? ` (request ${request_id})` : '';
}

function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}

/** Handles Ctrl-C: calls the last listener; without listeners, aborts the current work. */
interface Interrupts {
  readonly signal: AbortSignal;
  /** The returned function removes the listener. */
  listen: (listener: () => void) => () => void;
  close(): void;
}

function createInterrupts(): Interrupts {
  const listeners: (() => void)[] = [];
  const controller = new AbortController();
  const onSignal = () => {
    const listener = listeners.at(-1);
    if (listener !== undefined) listener();
    else controller.abort(new Interrupted('Interrupted.'));
  };
  process.on('SIGINT', onSignal);
  return {
    signal: controller.signal,
    listen(listener) {
      listeners.push(listener);
      return () => {
        const at = listeners.lastIndexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    close() {
      process.off('SIGINT', onSignal);
    },
  };
}
