import type { Approval } from '@docwright/contract';
import { parseJson } from '../../shared/http/json-value.ts';
import { counted } from '../../shared/formats/counted.ts';
import { valueAt } from '../../shared/values/value-path.ts';

/** One part of what a call changes, in a few words. */
export interface ChangePart {
  kind: 'removed' | 'added' | 'warning' | 'plain';
  text: string;
}

const maxParts = 4;
const maxLength = 80;

/**
 * The change of one call, short enough for a table cell: old and new value, corrections that would be lost, and the
 * arguments that differ between the calls.
 *
 * @example changeParts({ …, preview: { kind: 'field', old_value: 5, new_value: 6, … } }, [])
 *   // [{ kind: 'removed', text: '5' }, { kind: 'added', text: '6' }]
 */
export function changeParts(call: Approval, differs: readonly string[]): ChangePart[] {
  return [...ofPreview(call), ...ofArguments(call, differs)].slice(0, maxParts);
}

function ofPreview({ preview }: Approval): ChangePart[] {
  if (preview?.kind === 'field') {
    return [
      { kind: 'removed', text: textOf(preview.old_value) },
      { kind: 'added', text: textOf(preview.new_value) },
    ];
  }
  if (preview?.kind === 'difference') return changedLines(preview.before, preview.after);
  if (preview?.kind === 'replace') {
    const { is_verified, edited_count: edits } = preview;
    const loses = edits === 0 ? [] : [{ kind: 'warning' as const, text: `loses ${counted(edits, 'edit')}` }];
    return [...(is_verified ? [{ kind: 'warning' as const, text: 'verified' }] : []), ...loses];
  }
  if (preview?.kind === 'cost') {
    const { requests } = preview;
    return [{ kind: 'warning', text: requests === undefined ? 'twice the cost' : `${requests} requests` }];
  }
  if (preview?.kind === 'create') {
    return preview.collides_with.slice(0, 1).map(({ name }) => ({ kind: 'warning', text: `there is a “${name}”` }));
  }
  if (preview?.kind === 'delete') {
    const count = preview.dependent_count ?? preview.dependents.length;
    return count === 0 ? [] : [{ kind: 'warning', text: `used by ${count}` }];
  }
  return [];
}

/** Removed and added lines; lines in both texts are skipped. */
function changedLines(before: string, after: string): ChangePart[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  return [
    ...old.filter((line) => !next.includes(line)).map((line) => ({ kind: 'removed' as const, text: shortened(line) })),
    ...next.filter((line) => !old.includes(line)).map((line) => ({ kind: 'added' as const, text: shortened(line) })),
  ];
}

/** Lines of a text, of JSON without its punctuation. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/(?:\{\}|\[\]|[{[])?,?\s*$/u, '')
        .replaceAll('"', '')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line));

/** The differing arguments, except the document, which has its own column. */
function ofArguments(
  { arguments: written, document_id, document_name }: Approval,
  differs: readonly string[],
): ChangePart[] {
  const args = parseJson(written);
  return differs.flatMap((path) => {
    const value = valueAt(args, path);
    if (value === undefined || value === document_id || value === document_name) return [];
    return [{ kind: 'plain' as const, text: textOf(value) }];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'not given';
  return shortened(typeof value === 'string' ? value : JSON.stringify(value));
}

const shortened = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
