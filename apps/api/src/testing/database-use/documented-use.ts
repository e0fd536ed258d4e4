import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection, mongo } from 'mongoose';
import { usedKinds, usedNames } from './used-names.ts';

export const page = resolve(import.meta.dirname, '../../../../../docs/operators/database.md');
/** A file: what the tests of a run use is appended to it, a line each, for `write-page.ts` to write the page from. */
const record = process.env['RECORD_DATABASE_USE'];

const used = new Set<string>();

/** Notes what the tests of this process send to their databases, until the answer is called. */
export function watchDatabaseUse(connection: Connection): () => void {
  const client = connection.getClient();
  const note = ({ commandName, command }: mongo.CommandStartedEvent): void => {
    for (const [kind, name] of usedNames(commandName, command)) used.add(`${kind}\t${name}`);
  };
  client.on('commandStarted', note);
  return () => void client.off('commandStarted', note);
}

/** Writes down what was noted, where the run records it. */
export function recordDatabaseUse(): void {
  if (record !== undefined) appendFileSync(record, [...used].map((line) => `${line}\n`).join(''));
}

/** What was noted in this process, as `kind`, a tab and `name`. */
export const notedUse: ReadonlySet<string> = used;

const begin = '<!-- from the tests -->';
const end = '<!-- end -->';

/** The page with its table made of what was recorded. */
export function pageFrom(recorded: string, text: string): string {
  const lines = new Set(recorded.split('\n').filter((line) => line !== ''));
  const rows = usedKinds.map((kind) => {
    const names = [...lines].flatMap((line) => (line.startsWith(`${kind}\t`) ? [line.slice(kind.length + 1)] : []));
    return `| ${kind} | ${names
      .toSorted((a, b) => a.localeCompare(b))
      .map((name) => `\`${name}\``)
      .join(' ')} |`;
  });
  const table = ['| | |', '|---|---|', ...rows].join('\n');
  const [before = ''] = text.split(begin);
  const after = text.split(end)[1] ?? '';
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

/** By kind, the names that the page's table has. */
export function documentedNames(text: string): Map<string, Set<string>> {
  const table = text.split(begin)[1]?.split(end)[0] ?? '';
  return new Map(
    [...table.matchAll(/^\| ([a-z ]+?) \| (.*) \|$/gmu)].map(([, kind = '', names = '']) => [
      kind,
      new Set([...names.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name)),
    ]),
  );
}
