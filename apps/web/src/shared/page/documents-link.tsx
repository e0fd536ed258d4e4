import { Link } from '@tanstack/react-router';
import { linkButtonClass } from '../ui/button.tsx';

/** The next step on an empty page: what it shows comes from documents. */
export function DocumentsLink() {
  return (
    <Link to="/" className={linkButtonClass('primary')}>
      Documents
    </Link>
  );
}
