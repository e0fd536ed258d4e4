import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection, mongo } from 'mongoose';
import { usedKinds, usedNames } from './used-names.ts';

export const page = resolve(import.meta.dirname, '../../../../../docs/operators/database.md');
/**
 * A file to which each test process appends the names it used, one per line; `write-page.ts` writes the page from it.
 */
const recordFile = process.env['RECORD_DATABASE_USE'];

const used = new Set<string>();

/** Records the names that this process's tests send to the database, until the returned function is called. */
export function watchDatabaseUse(connection: Connection): () => void {
  const client = connection.getClient();
  const recordNames = ({ commandName, command }: mongo.CommandStartedEvent): void => {
    for (const [kind, name] of usedNames(commandName, command)) used.add(`${kind}\t${name}`);
  };
  client.on('commandStarted', recordNames);
  return () => void client.off('commandStarted', recordNames);
}

/** Appends the recorded names to the run's file, if there is one. */
export function recordDatabaseUse(): void {
  if (recordFile !== undefined) appendFileSync(recordFile, [...used].map((line) => `${line}\n`).join(''));
}

/** The recorded names of this process, as `kind`, a tab and `name`. */
export const recordedUse: ReadonlySet<string> = used;

const start = '<!-- from the tests -->';
const end = '<!-- end -->';

/** The page with its table rebuilt from the recorded names. */
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
  const [before = ''] = text.split(start);
  const after = text.split(end)[1] ?? '';
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}

/** The names in the page's table, by kind. */
export function documentedNames(text: string): Map<string, Set<string>> {
  const table = text.split(start)[1]?.split(end)[0] ?? '';
  return new Map(
    [...table.matchAll(/^\| ([a-z ]+?) \| (.*) \|$/gmu)].map(([, kind = '', names = '']) => [
      kind,
      new Set([...names.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name)),
    ]),
  );
}
