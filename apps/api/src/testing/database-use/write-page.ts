/**
 * Writes the table of docs/operators/database.md from the file of a run with RECORD_DATABASE_USE=file: `node
 * write-page.ts file`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { page, pageFrom } from './documented-use.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('The file is missing: node write-page.ts <file of RECORD_DATABASE_USE>.');
writeFileSync(page, pageFrom(readFileSync(file, 'utf8'), readFileSync(page, 'utf8')));
