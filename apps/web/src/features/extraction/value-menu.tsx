import { withExactNumbers, type Extraction } from '@docwright/contract';
import { Copy, Download, Ellipsis, History } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { messageOf } from '../../shared/http/api-error.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../../shared/ui/menu.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { useCopy } from '../../shared/ui/use-copy.ts';
import { csvTables, type CsvTable } from '../../shared/formats/csv-tables.ts';
import { labelOf } from '../../shared/values/field-shape.ts';
import { saveFile } from '../../shared/formats/save-file.ts';

const HistoryDialog = lazyPart(async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }));

interface ValueMenuProps {
  extraction: Extraction;
  documentName: string;
}

/** Opens the history of the values, copies and downloads them. */
export function ValueMenu({ extraction, documentName }: ValueMenuProps) {
  const [showsHistory, setShowsHistory] = useState(false);
  const toast = useToast();
  const copy = useCopy('Download the JSON instead.');
  const name = documentName.replace(/\.[^.]+$/, '');
  const json = () => JSON.stringify(withExactNumbers(extraction), null, 2);
  const copyAll = async () => {
    if (await copy(json())) toast('The values are copied as JSON.');
  };
  const tables = csvTables(withExactNumbers(extraction));
  const save = async (table?: CsvTable) => {
    try {
      const { saveTable, saveAllTables } = await import('./save-values.ts');
      if (table) saveTable(name, table, tables.length === 1, extraction);
      else saveAllTables(name, extraction);
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More actions">
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setShowsHistory(true)}>
          <History aria-hidden /> History…
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => void copyAll()}>
          <Copy aria-hidden /> Copy as JSON
        </MenuItem>
        <MenuItem onSelect={() => saveFile(`${name}.json`, new Blob([json()], { type: 'application/json' }))}>
          <Download aria-hidden /> Download JSON
        </MenuItem>
        <MenuLine />
        {tables.map((table) => (
          <MenuItem key={table.name} onSelect={() => void save(table)}>
            <Download aria-hidden />
            <span className="truncate">
              Download CSV{tables.length > 1 && `: ${table.name.split('.').map(labelOf).join(', ')}`}
            </span>
          </MenuItem>
        ))}
        {tables.length > 1 && (
          <MenuItem onSelect={() => void save()}>
            <Download aria-hidden /> All as CSV, in a ZIP
          </MenuItem>
        )}
      </Menu>
      <Suspense>
        {showsHistory && <HistoryDialog extraction={extraction} onClose={() => setShowsHistory(false)} />}
      </Suspense>
    </>
  );
}
