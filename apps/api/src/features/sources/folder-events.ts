import type { Connector } from './connectors/connector.ts';
import type { OpenConnector } from './connectors/open-connector.ts';
import type { SyncQueueRepository, WatchedSource } from './sync-queue-repository.ts';

interface FolderEventsDependencies {
  queue: Pick<SyncQueueRepository, 'folders' | 'want'>;
  openConnector: OpenConnector;
  wakeSync: () => Promise<void>;
}

interface Watched {
  configuration: string;
  stop: () => void;
}

/** Makes a sync due soon after a change in a folder, in the process that watches it. Polling finds missed changes. */
export function createFolderEvents({ queue, openConnector, wakeSync }: FolderEventsDependencies) {
  const watched = new Map<string, Watched>();
  const timers = new Map<string, NodeJS.Timeout>();

  function changed(id: string, settleMs: number): void {
    if (timers.has(id)) return;
    const sync = async () => {
      timers.delete(id);
      // If the database is unreachable, polling syncs it later.
      await Promise.all([queue.want(id), wakeSync()]).catch(() => undefined);
    };
    timers.set(id, setTimeout(() => void sync(), settleMs + marginMs).unref());
  }

  async function watch({ id, organizationId, connector }: WatchedSource, configuration: string): Promise<void> {
    const opened: Connector = openConnector(organizationId, connector);
    const settleMs = connector.kind === 'folder' ? connector.config.settle_seconds * 1000 : 0;
    // A folder that is missing, or beyond the system's limit of watches, is left to the next sync.
    const stop = await opened.watch?.(() => changed(id, settleMs)).catch(() => undefined);
    if (stop) watched.set(id, { configuration, stop });
  }

  function forget(id: string): void {
    watched.get(id)?.stop();
    watched.delete(id);
  }

  return {
    /** Watches the folders that sources have now. */
    async refresh(): Promise<void> {
      const sources = await queue.folders();
      const current = new Map(sources.map((source) => [source.id, JSON.stringify(source.connector)]));
      for (const [id, { configuration }] of watched) if (current.get(id) !== configuration) forget(id);
      for (const source of sources) {
        if (watched.has(source.id)) continue;
        // One whose settings are damaged is left to the next sync, and holds up no other.
        await watch(source, current.get(source.id) ?? '').catch(() => undefined);
      }
    },
    close(): void {
      for (const id of watched.keys()) forget(id);
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

const marginMs = 100;
