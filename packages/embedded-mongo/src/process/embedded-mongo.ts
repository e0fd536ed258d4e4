import type { Synchronous } from '../storage/sqlite-connection.ts';

/** A handle of the running database server, as `startEmbeddedMongo` returns it. */
export interface EmbeddedMongo {
  /**
   * A connection string for the official driver, without a database name. It does not change when the server restarts.
   */
  uri: string;
  /** Process id of the running server. It changes when the server restarts. */
  readonly pid: number;
  /**
   * Stops the server if this handle started it and no other process has joined. Otherwise the server stops with its
   * last user.
   */
  stop(): Promise<void>;
  /**
   * Resolves when the server has stopped and is not restarted: after `stop`, or when a crashed server could not be
   * restarted. The value is the exit code if this handle started the server, and null if the server was killed or this
   * handle joined it.
   */
  exited: Promise<number | null>;
}

/** The options of `startEmbeddedMongo`. */
export interface StartOptions {
  /** Folder of the database. A missing folder is created, readable by this user only. */
  dataDir: string;
  /** Receives the server's log, one line at a time. */
  log?: ((line: string) => void) | undefined;
  /** The writes that a power loss can cost: with `normal` (default) the last tenth of a second, with `full` none. */
  synchronous?: Synchronous | undefined;
  /** Keeps records that a TTL index expires, so that a copy stays as it was made. Default: false. It is not for a server that runs already. */
  keepsExpired?: boolean | undefined;
}
