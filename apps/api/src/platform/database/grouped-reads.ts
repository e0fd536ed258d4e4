/** Keys per command. */
const maxKeys = 100;

interface Group<Value> {
  keys: Set<string>;
  found: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Batches reads by key: keys that are requested before the command is sent go together into it, since a command costs far
 * more than a record in it. A command is sent no earlier than a key was requested, so that each read sees all writes up to
 * then. Every key must be well-formed: an invalid one fails the command for all of its readers.
 *
 * @param readAll reads the records of the keys, which it asks for when it sends the command
 */
export function createGroupedReads<Value>(
  readAll: (keys: () => readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let open: Group<Value> | undefined;

  function newGroup(): Group<Value> {
    const keys = new Set<string>();
    const close = () => {
      if (open?.keys === keys) open = undefined;
      return [...keys];
    };
    return { keys, found: readAll(close) };
  }

  return async (key) => {
    if (open === undefined || open.keys.size >= maxKeys) open = newGroup();
    const { keys, found } = open;
    keys.add(key);
    return (await found).get(key);
  };
}
