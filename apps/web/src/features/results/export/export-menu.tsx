import { Download } from 'lucide-react';
import type { ResultRequest } from '../../../shared/api/results-api.ts';
import { formatSize } from '../../../shared/formats/format-document.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../../shared/ui/menu.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { counted } from '../../../shared/formats/counted.ts';
import type { ExportFormat } from './count-rows.ts';
import { exportTypes, type useExport } from './use-export.ts';

interface ExportMenuProps {
  total: number;
  request: ResultRequest;
  start: ReturnType<typeof useExport>['start'];
  disabled: boolean;
}

/** Exports the rows as the table shows them: its columns, filters and order. */
export function ExportMenu({ total, request, start, disabled }: ExportMenuProps) {
  return (
    <Menu
      trigger={
        <Button look="primary" disabled={disabled || total === 0}>
          <Download aria-hidden className="size-4" /> Export
        </Button>
      }
    >
      <MenuLabel>{counted(total, 'row')}, as shown</MenuLabel>
      {(Object.keys(exportTypes) as ExportFormat[]).map((format) => (
        <MenuItem key={format} onSelect={() => void start(format, request, total)}>
          {exportTypes[format].label}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** How far an export is, with Stop; or why it failed. */
export function ExportStrip({ progress, stop }: Pick<ReturnType<typeof useExport>, 'progress' | 'stop'>) {
  if (progress === undefined) return null;
  const { rows, bytes, total, error } = progress;
  if (error !== undefined) {
    return (
      <Notice
        tone="bad"
        actions={
          <Button size="small" onClick={stop}>
            Dismiss
          </Button>
        }
      >
        The export failed. {error}
      </Notice>
    );
  }
  const label =
    rows === undefined
      ? `Exporting ${counted(total, 'row')}: ${formatSize(bytes)}`
      : `Exporting ${rows.toLocaleString()} of ${counted(total, 'row')}`;
  return (
    <div className="flex items-center gap-3 rounded-md border border-line bg-raised px-3 py-1.5">
      <output className="text-sm tabular-nums">{label}</output>
      <ProgressBar label={label} value={rows} max={Math.max(total, 1)} className="h-1.5 min-w-16 flex-1" />
      <Button size="small" onClick={stop}>
        Stop
      </Button>
    </div>
  );
}
