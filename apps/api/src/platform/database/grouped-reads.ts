/** As many keys as one command asks for. */
const maxKeys = 100;

interface Read<Value> {
  promise: Promise<Value | undefined>;
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Asks for what is wanted while a command is under way together, in the next one: a command costs many times what a record
 * in it does. A read that waits for nobody leaves at once, and none begins before it was asked for, so that what was written
 * until then is seen. Every key must be well-formed, since a command fails for all who wait for it.
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
