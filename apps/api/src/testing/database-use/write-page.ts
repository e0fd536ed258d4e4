/** Writes the table of docs/operators/database.md from what a run with RECORD_DATABASE_USE=file has recorded: `node write-page.ts file`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { page, pageFrom } from './documented-use.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file that RECORD_DATABASE_USE named.');
writeFileSync(page, pageFrom(readFileSync(file, 'utf8'), readFileSync(page, 'utf8')));
