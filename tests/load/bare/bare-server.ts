import fs from 'node:fs';
import http from 'node:http';
import { BSON, MongoClient, type Document } from 'mongodb';

/**
 * `node bare-server.ts URI FILE`: a server that does nothing but send the recorded commands of a path to the database, the first alone,
 * as the check of a session is, and answer what they found as JSON. Prints its port.
 */
const [uri = '', file = ''] = process.argv.slice(2);
const recorded = BSON.EJSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, Document[]>;
const client = await MongoClient.connect(uri);
const database = client.db('docwright');

async function found(command: Document): Promise<unknown> {
  const { cursor, values, n } = await database.command(command);
  return cursor?.firstBatch ?? values ?? n;
}

async function answer(url: string): Promise<string> {
  const [first, ...others] = recorded[url] ?? [];
  const answers = [first === undefined ? [] : await found(first), ...(await Promise.all(others.map(found)))];
  return JSON.stringify(answers);
}

const server = http.createServer((request, response) => {
  answer(request.url ?? '').then(
    (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`);
});
