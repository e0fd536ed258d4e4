import { beforeEach, describe, expect, it } from 'vitest';
import { filesPerBatch, type Connector, type FoundFile } from '../connectors/connector.ts';

/** What the suite needs of a place with files. */
export interface ConnectorBench {
  /** An empty place, and a connector that reads it. */
  open(): Promise<Connector>;
  /** A file that the next listing shows; returns its name in errors and texts. */
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Whether a file can get other bytes in its place; a mail cannot. */
  canChange: boolean;
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

/** What the sync relies on. Every connector passes it. */
export function describeConnector(name: string, bench: ConnectorBench): void {
  describe(`the connector ${name}`, () => {
    let connector: Connector;
    const { signal } = new AbortController();
    beforeEach(async () => {
      connector = await bench.open();
      return async () => connector.close();
    });
    async function list(): Promise<FoundFile[]> {
      const found: FoundFile[] = [];
      const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
      for await (const batch of connector.list(new AbortController().signal, ignored)) {
        expect(batch.length).toBeLessThanOrEqual(filesPerBatch);
        found.push(...batch);
      }
      return found.toSorted((one, other) => (one.identity < other.identity ? -1 : 1));
    }
    const read = async (file: FoundFile) => (await connector.read(file))?.map(({ bytes }) => textOf(bytes));

    it('is empty at first, and can be checked', async () => {
      await connector.check();
      expect(await list()).toEqual([]);
      expect(await connector.existing([], signal)).toEqual(new Set());
    });

    it('shows a file in the same way each time, with its bytes', async () => {
      await bench.put('Grüße & +mehr.txt', 'Eins');
      await bench.put('two.txt', 'Zwei');
      const found = await list();
      expect(found).toHaveLength(2);
      expect(await list()).toEqual(found);
      expect(new Set((await Promise.all(found.map(read))).flat())).toEqual(new Set(['Eins', 'Zwei']));
    });

    it('knows a file that is gone, and does not take it', async () => {
      await bench.put('a.txt', 'One');
      await bench.put('b.txt', 'Two');
      await bench.put('c.txt', 'Three');
      const before = await list();
      await bench.remove('b.txt');
      const after = await list();
      expect(after).toHaveLength(2);
      const identities = before.map(({ identity }) => identity);
      expect(await connector.existing(identities, signal)).toEqual(new Set(after.map(({ identity }) => identity)));
      const [gone] = before.filter(({ identity }) => !after.some((file) => file.identity === identity));
      expect(await read(gone!)).toBe(undefined);
    });

    it.runIf(bench.canChange)('shows new bytes as a new version, and does not take them for the old ones', async () => {
      await bench.put('a.txt', 'Old');
      const [old] = await list();
      await bench.put('a.txt', 'New');
      const [changed] = await list();
      expect(changed!.identity).toBe(old!.identity);
      expect(changed!.version).not.toBe(old!.version);
      expect(await read(old!)).toBe(undefined);
      expect(await read(changed!)).toEqual(['New']);
    });

    it('lists more than fit a batch, each once, and stops when told', async () => {
      const count = filesPerBatch + 20;
      for (let at = 0; at < count; at += 1) await bench.put(`${at}.txt`, `Text ${at}`);
      const found = await list();
      const identities = found.map(({ identity }) => identity);
      expect(new Set(identities).size).toBe(count);
      expect(found).toHaveLength(count);
      const some = identities.slice(10, 60);
      expect(await connector.existing(some, signal)).toEqual(new Set(some));
      const stopped = new AbortController();
      const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
      const listing = connector.list(stopped.signal, ignored);
      stopped.abort();
      await expect(listing.next()).rejects.toThrow('abort');
    });
  });
}
