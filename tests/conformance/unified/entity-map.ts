import { GridFSBucket, MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';

type ObservedEvent = { type: 'commandStartedEvent'; event: CommandStartedEvent };

/** The clients, databases, collections and buckets of one test, and the commands that its clients sent. */
export class EntityMap {
  readonly entities = new Map<string, unknown>();
  readonly events = new Map<string, ObservedEvent[]>();
  readonly #clients: MongoClient[] = [];
  readonly #uri: string;

  constructor(uri: string) {
    this.#uri = uri;
  }

  async create(definitions: readonly Document[]): Promise<void> {
    for (const definition of definitions) {
      const [[kind, options]] = Object.entries(definition) as [[string, Document]];
      this.entities.set(options['id'], await this.#make(kind, options));
    }
  }

  get(id: string): unknown {
    if (!this.entities.has(id)) throw new Error(`there is no entity ${id}`);
    return this.entities.get(id);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #make(kind: string, options: Document): Promise<unknown> {
    switch (kind) {
      case 'client':
        return this.#connect(options);
      case 'database':
        return (this.get(options['client']) as MongoClient).db(options['databaseName'], options['databaseOptions']);
      case 'collection':
        return (this.get(options['database']) as Db).collection(
          options['collectionName'],
          options['collectionOptions'],
        );
      case 'bucket':
        return new GridFSBucket(this.get(options['database']) as Db, options['bucketOptions']);
      default:
        throw new Error(`entities of kind ${kind} are not known`);
    }
  }

  async #connect(options: Document): Promise<MongoClient> {
    const client = new MongoClient(this.#uri, { ...options['uriOptions'], monitorCommands: true, retryWrites: false });
    const ignored = new Set(['hello', 'ismaster', 'endSessions', ...(options['ignoreCommandMonitoringEvents'] ?? [])]);
    const observed: ObservedEvent[] = [];
    this.events.set(options['id'], observed);
    client.on('commandStarted', (event) => {
      if (!ignored.has(event.commandName)) observed.push({ type: 'commandStartedEvent', event });
    });
    this.#clients.push(client);
    return client.connect();
  }
}
