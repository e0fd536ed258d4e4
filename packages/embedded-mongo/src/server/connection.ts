import type { Socket } from 'node:net';
import type { ReceivedCommand } from '../commands/command.ts';
import { readGenericOptions } from '../commands/options.ts';
import { runCommand } from '../commands/registry.ts';
import { maxMessageBytes } from '../errors/limits.ts';
import { MongoError } from '../errors/mongo-error.ts';
import { Yielder } from '../event-loop/yielder.ts';
import { headerBytes, parseMessage, type Message } from '../wire/message.ts';
import { encodeReply, errorReply, type Reply } from '../wire/reply.ts';
import type { CommitQueue } from './commit-queue.ts';

type ServerState = Pick<ReceivedCommand, 'storage' | 'cursors'> & { commits: CommitQueue; log: Log };
export type Log = (message: string) => void;

const maxPendingMessages = 64;

/** The connection of one client. It answers messages one after another, in their order. */
export class Connection {
  readonly #socket: Socket;
  readonly #id: number;
  readonly #state: ServerState;
  readonly #frames = new FrameReader();
  #pending: Buffer[] = [];
  #isBusy = false;

  constructor(socket: Socket, id: number, state: ServerState) {
    this.#socket = socket;
    this.#id = id;
    this.#state = state;
  }

  /** Starts to answer messages. */
  serve(): void {
    const socket = this.#socket;
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  #receive(chunk: Buffer): void {
    try {
      this.#pending.push(...this.#frames.push(chunk));
    } catch (error) {
      this.#closeWith(error);
      return;
    }
    if (this.#pending.length > maxPendingMessages) this.#socket.pause();
    if (!this.#isBusy) void this.#answerPending();
  }

  async #answerPending(): Promise<void> {
    this.#isBusy = true;
    for (let bytes = this.#pending.shift(); bytes && !this.#socket.destroyed; bytes = this.#pending.shift()) {
      let message: Message;
      try {
        message = parseMessage(bytes);
      } catch (error) {
        this.#closeWith(error);
        break;
      }
      await this.#answer(message);
      if (this.#socket.writableNeedDrain) await this.#waitForDrain();
    }
    this.#isBusy = false;
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  async #answer(message: Message): Promise<void> {
    let reply: Reply;
    try {
      reply = await this.#run(message);
    } catch (error) {
      if (!(error instanceof MongoError)) {
        this.#state.storage.recordDamage(error);
        this.#state.log(`command failed: ${String((error as Error).stack)}`);
      }
      reply = errorReply(error);
    }
    if (message.wantsReply && !this.#socket.destroyed) this.#send(message, reply);
  }

  /** Runs the command and waits for the commit of its writes, also when the command failed. */
  async #run({ db, command, body, sequences }: Message): Promise<Reply> {
    const { storage, cursors, commits } = this.#state;
    const { maxTimeMs, journaled } = readGenericOptions(command);
    const { failedTransactions } = storage;
    const yielder = new Yielder(maxTimeMs);
    const context = { storage, cursors, db, command, body, sequences, connectionId: this.#id, yielder };
    const [outcome] = await Promise.allSettled([runCommand(context)]);
    await commits.acknowledged(journaled);
    if (storage.failedTransactions !== failedTransactions) {
      throw storage.lastFailure;
    }
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  #send(message: Message, reply: Reply): void {
    this.#socket.cork();
    for (const part of encodeReply(message, reply)) this.#socket.write(part);
    this.#socket.uncork();
  }

  /** Waits until the client has read its replies. */
  async #waitForDrain(): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#socket.off('drain', done).off('close', done);
        resolve();
      };
      this.#socket.once('drain', done).once('close', done);
    });
  }

  #closeWith(error: unknown): void {
    this.#state.log(`connection ${this.#id} closed: ${(error as Error).message}`);
    this.#pending = [];
    this.#socket.destroy();
  }
}

const maxFrameBytes = maxMessageBytes + 65_536;

/** Splits a stream of bytes into messages. */
class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #neededBytes = headerBytes;

  /** Adds bytes and returns the messages that they complete. Throws when a length is impossible. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Buffer[] = [];
    if (this.#size < this.#neededBytes) return messages;
    let rest = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    this.#neededBytes = headerBytes;
    while (rest.length >= headerBytes) {
      const length = rest.readInt32LE(0);
      if (length < headerBytes + 5 || length > maxFrameBytes) {
        throw new RangeError(`invalid message length ${length}`);
      }
      this.#neededBytes = length;
      if (rest.length < length) break;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      this.#neededBytes = headerBytes;
    }
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return messages;
  }
}
