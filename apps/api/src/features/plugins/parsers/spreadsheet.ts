import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';

export const spreadsheet = defineParser({
  id: 'spreadsheet',
  name: 'Spreadsheets',
  description: 'XLSX, ODS and CSV: the cells of each sheet, row by row.',
  reads: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.oasis.opendocument.spreadsheet',
    'text/csv',
  ],
  config: z.strictObject({}),
});
