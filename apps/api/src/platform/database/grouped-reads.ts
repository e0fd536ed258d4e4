/** Keys per command. */
const maxKeys = 100;

interface Read<Value> {
  promise: Promise<Value | undefined>;
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches reads by key: keys requested while a command runs go together into the next one, since a command costs far
 * more than a record in it. A read starts at once if no command runs, and no earlier than its request, so that it sees
 * all writes up to then. Every key must be well-formed: an invalid one fails the command for all of its readers.
 */
export function createGroupedReads<Value>(
  readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  const waiting = new Map<string, Read<Value>>();
  let isReading = false;

  async function readNext(): Promise<void> {
    const group = [...waiting.entries().take(maxKeys)];
    for (const [key] of group) waiting.delete(key);
    try {
      const found = await readAll(group.map(([key]) => key));
      for (const [key, { resolve }] of group) resolve(found.get(key));
    } catch (error) {
      for (const [, { reject }] of group) reject(error);
    }
  }

  async function readWaiting(): Promise<void> {
    isReading = true;
    while (waiting.size > 0) await readNext();
    isReading = false;
  }

  return (key) => {
    const known = waiting.get(key);
    if (known) return known.promise;
    const read = Promise.withResolvers<Value | undefined>();
    waiting.set(key, read);
    if (!isReading) void readWaiting();
    return read.promise;
  };
}
