import type { SearchAnswer } from '@docwright/contract';
import { Copy, Download, Ellipsis } from 'lucide-react';
import { messageOf } from '../../shared/http/api-error.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../shared/ui/menu.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

/** The hits, to be taken elsewhere. */
export function HitMenu({ answer, name }: { answer: SearchAnswer; name: string }) {
  const toast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(answer.results, null, 2));
      toast('The hits are copied as JSON.');
    } catch {
      toast('The browser did not allow copying. Download the JSON instead.', 'bad');
    }
  };
  const save = async (format: 'json' | 'csv') => {
    try {
      const { saveHits } = await import('./export-hits.ts');
      saveHits(name, answer, format);
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  };
  return (
    <Menu
      trigger={
        <IconButton label="Copy or download the hits">
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => void copy()}>
        <Copy aria-hidden /> Copy as JSON
      </MenuItem>
      <MenuItem onSelect={() => void save('json')}>
        <Download aria-hidden /> Download JSON
      </MenuItem>
      <MenuItem onSelect={() => void save('csv')}>
        <Download aria-hidden /> Download CSV
      </MenuItem>
    </Menu>
  );
}
