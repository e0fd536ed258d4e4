import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { sleep } from '../../client/sleep.ts';
import { printable } from './terminal-text.ts';

/** Reads lines: from a user at a terminal, or from piped input. */
export interface Asker {
  /** True when a user can be shown an editor. */
  readonly isTerminal: boolean;
  /** The next line; undefined at the end of the input. Throws `AskInterrupted` on Ctrl-C. */
  ask(prompt: string): Promise<string | undefined>;
  /** The next line as a decision: input typed before the question was shown is discarded. */
  askDiscardingInput(prompt: string): Promise<string | undefined>;
  /** A line without echo. */
  askSecret(prompt: string): Promise<string | undefined>;
  /** Lets the user edit a text; undefined when no editor is set. */
  edit(text: string): Promise<string | undefined>;
  /** All piped input, without echo. */
  read(): Promise<string>;
  close(): void;
}

/** The user pressed Ctrl-C at a question. */
export class AskInterrupted extends Error {
  constructor() {
    super('Interrupted.');
    this.name = 'AskInterrupted';
  }
}

/** The answer to a question; undefined if the user pressed Ctrl-C. */
export async function unlessInterrupted(answer: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AskInterrupted) return undefined;
    throw error;
  }
}

type Terminal = NodeJS.WritableStream;
type TerminalInput = Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

export function createAsker(stdin: TerminalInput, stderr: Terminal, env: NodeJS.ProcessEnv): Asker {
  return stdin.isTTY === true ? createTerminalAsker(stdin, stderr, env) : createPipeAsker(stdin, stderr);
}

/**
 * A new line reader for each question. Between questions the terminal is not in raw mode, so that Ctrl-C is a signal.
 */
function createTerminalAsker(stdin: TerminalInput, stderr: Terminal, env: NodeJS.ProcessEnv): Asker {
  let history: string[] = [];
  return {
    isTerminal: true,
    ask: (prompt) => askLine(stdin, stderr, { prompt, history, onHistory: (entries) => (history = entries) }),
    async askDiscardingInput(prompt) {
      await discardTypedAhead(stdin);
      return await askLine(stdin, stderr, { prompt, history: [] });
    },
    async askSecret(prompt) {
      stderr.write(prompt);
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      try {
        return await askLine(stdin, nowhere, { prompt: '', history: [] });
      } finally {
        stderr.write('\n');
      }
    },
    edit: (text) => editInEditor(text, env),
    read: () => readAll(stdin),
    close: () => undefined,
  };
}

/** One line; undefined at the end of the input. */
function askLine(
  input: Readable,
  output: Terminal,
  { prompt, history, onHistory }: { prompt: string; history: string[]; onHistory?: (history: string[]) => void },
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, output, terminal: true, history: [...history], historySize: 100 });
    let answer: string | undefined;
    let interrupted = false;
    if (onHistory) lines.on('history', onHistory);
    lines.on('SIGINT', () => {
      interrupted = true;
      lines.close();
    });
    lines.on('close', () => {
      if (interrupted || answer === undefined) output.write('\n');
      if (interrupted) reject(new AskInterrupted());
      else resolve(answer);
    });
    lines.question(prompt, (line) => {
      answer = line;
      lines.close();
    });
  });
}

/** Discards input that was typed before the question was shown, such as a `y` while the agent was still writing. */
async function discardTypedAhead(stdin: TerminalInput): Promise<void> {
  let interrupted = false;
  const discard = (chunk: Buffer) => {
    if (chunk.includes(3)) interrupted = true;
  };
  // In raw mode the terminal does not hold back an unfinished line.
  stdin.setRawMode?.(true);
  stdin.on('data', discard);
  await sleep(40);
  stdin.off('data', discard);
  stdin.pause();
  stdin.setRawMode?.(false);
  if (interrupted) throw new AskInterrupted();
}

/** One reader for all questions, because piped lines must not be lost between them. */
function createPipeAsker(stdin: Readable, stderr: Terminal): Asker {
  let lines: Interface | undefined;
  let iterator: AsyncIterator<string> | undefined;
  const ask = async (prompt: string) => {
    lines ??= createInterface({ input: stdin, crlfDelay: Infinity });
    iterator ??= lines[Symbol.asyncIterator]();
    stderr.write(prompt);
    const { done, value } = await iterator.next();
    stderr.write(done === true ? '\n' : `${printable(value)}\n`);
    return done === true ? undefined : value;
  };
  return {
    isTerminal: false,
    ask,
    askDiscardingInput: ask,
    askSecret: ask,
    edit: async () => undefined,
    read: () => readAll(stdin),
    close() {
      lines?.close();
      stdin.destroy();
    },
  };
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}

async function editInEditor(text: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const editor = env['VISUAL'] || env['EDITOR'];
  if (editor === undefined || editor === '') return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'docwright-'));
  const file = path.join(folder, 'arguments.json');
  try {
    await writeFile(file, text, { mode: 0o600 });
    // The variable can contain options, so a shell parses it, as in git.
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' });
    const code = await new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(1));
      child.on('exit', resolve);
    });
    return code === 0 ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
