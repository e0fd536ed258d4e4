import { classNames } from '../ui/class-names.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import type { ChangedRow, SchemaDifference } from './schema-difference.ts';

const looks: Record<ChangedRow['kind'], { row: string; sign: string; word: string }> = {
  added: { row: 'bg-good-soft', sign: '+', word: 'new' },
  removed: { row: 'bg-bad-soft', sign: '−', word: 'goes' },
  changed: { row: 'bg-warn-soft', sign: '±', word: 'changes' },
};

/** Which fields come, go and change. */
export function SchemaChangeTable({ difference }: { difference: SchemaDifference }) {
  const { rows, kept } = difference;
  return (
    <ScrollBox label="Changed fields" className="text-sm">
      <table className="w-full border-separate border-spacing-0">
        <tbody>
          {rows.map((row) => (
            <tr
              key={`${row.kind} ${row.path}`}
              className={classNames('align-top [&>td]:px-2 [&>td]:py-1', looks[row.kind].row)}
            >
              <td className="w-5 font-mono" aria-label={looks[row.kind].word}>
                {looks[row.kind].sign}
              </td>
              <td className="font-mono text-xs leading-4.5">{row.path}</td>
              <td className="text-ink-soft">
                <Change before={row.kind === 'changed' ? row.before.type : undefined} after={row.type} />
              </td>
              <td className="text-ink-soft">
                <Change before={row.kind === 'changed' ? row.before.description : undefined} after={row.description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="px-2 py-1 text-xs text-ink-faint">
        {kept} {kept === 1 ? 'field stays' : 'fields stay'} as {kept === 1 ? 'it is' : 'they are'}
      </p>
    </ScrollBox>
  );
}

function Change({ before, after }: { before: string | undefined; after: string }) {
  if (before === undefined || before === after || before === '') return after;
  return (
    <>
      <s>{before}</s> {after}
    </>
  );
}
