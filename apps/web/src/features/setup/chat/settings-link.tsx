import { Link } from '@tanstack/react-router';
import { linkButtonClass } from '../../../shared/ui/button.tsx';

/** Leads to the section of the settings where an error can be fixed. */
export function SettingsLink({ section }: { section: 'models' | 'usage' }) {
  return (
    <Link to="/settings" search={{ section }} className={linkButtonClass('secondary', 'small')}>
      {section === 'usage' ? 'Open the usage' : 'Open the models'}
    </Link>
  );
}
