import type { Column, ColumnType } from '@docwright/contract';

export const columnTypes: { value: ColumnType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'currency', label: 'Currency' },
  { value: 'boolean', label: 'Yes or no' },
];

/** The fields of a column, in the order of the table. */
export const columnFields = ['name', 'type', 'description', 'allowedValues', 'regex'] as const;
export type ColumnField = (typeof columnFields)[number];

export const fieldLabels: Record<ColumnField, string> = {
  name: 'Name',
  type: 'Type',
  description: 'Description',
  allowedValues: 'Allowed values',
  regex: 'Pattern',
};

/** A column without details. */
export const emptyColumn: Pick<Column, ColumnField> = {
  name: '',
  type: 'text',
  description: '',
  allowedValues: '',
  regex: '',
};

/** The text of a column's field. */
export function fieldText(column: Pick<Column, ColumnField>, field: ColumnField): string {
  if (field !== 'type') return column[field];
  return columnTypes.find(({ value }) => value === column.type)?.label ?? column.type;
}
