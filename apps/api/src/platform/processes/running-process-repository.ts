import type { Collection, Connection, Model } from 'mongoose';
import { isAhead, isOver, literal, untilIn } from '../database/database-clock.ts';
import { readTogether } from '../database/joint-reads.ts';
import { isKnownDead, thisProcess, type ProcessIdentity } from '../leases/process-identity.ts';

/** What a process tells the others about itself. */
export interface ProcessFacts {
  /** The version of Docwright: `0.2.0`. */
  readonly release: string;
  /** The newest version of the database that this release knows. */
  readonly databaseVersion: number;
  readonly servesApi: boolean;
  /** Default: true. */
  readonly runsJobs?: boolean;
}

export type OtherProcess = ProcessFacts & { readonly identity: ProcessIdentity };

interface ProcessRecord {
  _id: string;
  identity: ProcessIdentity;
  release: string;
  database_version: number;
  serves_api: boolean;
  /** Absent in records of a release before 0.3.0: they may. */
  runs_jobs?: boolean;
  alive_until: Date;
}

/** How long a process that says nothing counts as running: one on another machine may only be slow. */
const aliveMs = 30_000;
const announceEveryMs = 10_000;
/** After a process has started or ended, what it left is found within this time. */
const unquietMs = 60_000;

const collectionOf = (connection: Connection) => connection.collection<ProcessRecord>('processes');

/** Reads whether processes run that do not know this version of the database: at most one of them. */
export async function readOlderProcesses(connection: Connection, databaseVersion: number): Promise<unknown[]> {
  const older = { database_version: { $lt: databaseVersion }, $expr: isAhead('alive_until') };
  const records = { db: connection, collection: collectionOf(connection) } as unknown as Model<unknown>;
  return await readTogether(records, older, { projection: { _id: 1 }, limit: 1 });
}

/** The processes that run on one database, so that limits hold over all of them and a release knows who runs beside it. */
export class RunningProcesses {
  readonly #records: Collection<ProcessRecord>;
  readonly #facts: ProcessFacts;
  readonly #self: ProcessIdentity;
  #timer: NodeJS.Timeout | undefined;
  #apiCount = 1;
  #workerCount = 1;
  #others = new Set<string>();
  #areOthersHere = true;
  #changedAt = performance.now();

  constructor(connection: Connection, facts: ProcessFacts, self: ProcessIdentity = thisProcess) {
    this.#records = collectionOf(connection);
    this.#facts = facts;
    this.#self = self;
  }

  /** The number of processes that serve the API, as of the last look: at least 1. */
  get apiCount(): number {
    return this.#apiCount;
  }

  /** The number of processes that run jobs, as of the last look: at least 1. */
  get workerCount(): number {
    return this.#workerCount;
  }

  /**
   * Whether no process, not even this one, has started or ended for a while, as of the last look. Never while others run on
   * another machine: that one of those has ended is known later than that its leases are over.
   */
  get isQuiet(): boolean {
    return this.#areOthersHere && performance.now() - this.#changedAt > unquietMs;
  }

  /**
   * Announces this process, and again every ten seconds until `stop`.
   * @param onFailure called with the error of a later announcement. The next one tries again.
   */
  async start(onFailure: (error: unknown) => void): Promise<void> {
    await this.#records.deleteMany({ $expr: isOver('alive_until') });
    await this.announce();
    this.#timer = setInterval(() => void this.announce().catch(onFailure), announceEveryMs);
    this.#timer.unref();
  }

  /** Announces this process once, and counts the others. */
  async announce(): Promise<void> {
    const { release, databaseVersion, servesApi, runsJobs = true } = this.#facts;
    const facts = {
      identity: this.#self,
      release,
      database_version: databaseVersion,
      serves_api: servesApi,
      runs_jobs: runsJobs,
    };
    await this.#records.updateOne(
      { _id: this.#self.instance },
      [{ $set: { ...literal(facts), alive_until: untilIn(aliveMs) } }],
      { upsert: true },
    );
    const others = await this.others();
    const instances = new Set(others.map(({ identity }) => identity.instance));
    if (instances.symmetricDifference(this.#others).size > 0) this.#changedAt = performance.now();
    this.#others = instances;
    this.#areOthersHere = others.every(({ identity }) => identity.machine === this.#self.machine);
    const count = (does: 'servesApi' | 'runsJobs') =>
      Math.max(1, [this.#facts, ...others].filter((one) => one[does] ?? true).length);
    this.#apiCount = count('servesApi');
    this.#workerCount = count('runsJobs');
  }

  /** The other processes that run, or whose end is not known yet. */
  async others(): Promise<OtherProcess[]> {
    const records = await this.#records
      .find({ _id: { $ne: this.#self.instance }, $expr: isAhead('alive_until') })
      .toArray();
    return records
      .filter(({ identity }) => !isKnownDead(identity, this.#self))
      .map(({ identity, release, database_version, serves_api, runs_jobs = true }) => ({
        identity,
        release,
        databaseVersion: database_version,
        servesApi: serves_api,
        runsJobs: runs_jobs,
      }));
  }

  /** Tells the others at once that this process ends. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#records.deleteOne({ _id: this.#self.instance });
  }
}
