import { withExactNumbers, type Extraction } from '@docwright/contract';
import { strToU8, zipSync } from 'fflate';
import { csvText, withIssues } from '../../shared/formats/csv-text.ts';
import { csvTables, type CsvTable } from '../../shared/formats/csv-tables.ts';
import { saveFile } from '../../shared/formats/save-file.ts';

/** Saves one table as `<name>.csv`, or as `<name> <table>.csv` if the result has several. */
export function saveTable(name: string, table: CsvTable, alone: boolean, extraction: Extraction): void {
  const fileName = alone ? `${name}.csv` : `${name} ${safeName(table.name)}.csv`;
  saveFile(fileName, new Blob([csvText(withIssues(table, extraction))], { type: 'text/csv;charset=utf-8' }));
}

/** Saves all tables of a result in a ZIP archive. */
export function saveAllTables(name: string, extraction: Extraction): void {
  const tables = csvTables(withExactNumbers(extraction)).map((table) => withIssues(table, extraction));
  const files = tables.map((table) => [`${safeName(table.name)}.csv`, strToU8(csvText(table))] as const);
  saveFile(`${name}.zip`, new Blob([zipSync(Object.fromEntries(files))], { type: 'application/zip' }));
}

const safeName = (name: string) => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
