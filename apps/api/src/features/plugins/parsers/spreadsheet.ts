import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';
import { readStoredPages } from './read-stored-pages.ts';

export const spreadsheet = defineParser({
  id: 'spreadsheet',
  name: 'Spreadsheets',
  description: 'XLSX, ODS and CSV: the cells of each sheet, row by row.',
  config: z.strictObject({}),
  parse: (input) =>
    readStoredPages(input, [
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'text/csv',
      'application/vnd.oasis.opendocument.spreadsheet',
    ]),
});
