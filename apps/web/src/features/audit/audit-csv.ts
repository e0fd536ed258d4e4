import type { AuditEntry } from '@docwright/contract';
import { readAuditPage, type AuditFilter } from '../../shared/api/audit-api.ts';
import { csvText } from '../../shared/formats/csv-text.ts';
import { saveFile } from '../../shared/formats/save-file.ts';
import { eventLabel, originLabels } from './audit-labels.ts';

const pageSize = 100;
/** Maximum number of rows in a file, newest first. */
const maxCsvEntries = 5000;

/** Saves the filtered entries as CSV, with ids, so that they can be joined with other data. */
export async function saveAuditCsv(
  orgId: string,
  filter: AuditFilter,
  nameOf: (userId: string) => string,
  signal?: AbortSignal,
): Promise<void> {
  const entries: AuditEntry[] = [];
  for (let skip = 0; skip < maxCsvEntries; skip += pageSize) {
    const page = await readAuditPage(orgId, filter, skip, pageSize, signal);
    entries.push(...page.entries);
    if (page.entries.length + (page.unreadable?.length ?? 0) < pageSize) break;
  }
  const columns = [
    'at',
    'user',
    'user_id',
    'origin',
    'tool',
    'event',
    'document_id',
    'thread_id',
    'rule_id',
    'error',
    'arguments',
  ];
  const rows = entries.map((entry) => [
    entry.at,
    nameOf(entry.actor),
    entry.actor,
    originLabels[entry.origin.kind],
    entry.tool,
    eventLabel(entry),
    entry.document_id ?? '',
    entry.thread_id ?? '',
    entry.rule_id ?? '',
    entry.error ?? '',
    entry.arguments,
  ]);
  const csv = csvText({ name: 'audit', columns, rows });
  saveFile(`audit-${new Date().toISOString().slice(0, 10)}.csv`, new Blob([csv], { type: 'text/csv;charset=utf-8' }));
}
