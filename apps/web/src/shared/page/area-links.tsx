import { Link } from '@tanstack/react-router';
import { areas } from './places.tsx';

/** Below a heading: links to the pages that share one link in the header. */
export function AreaLinks({ area }: { area: keyof typeof areas }) {
  const { label, pages } = areas[area];
  return (
    <nav aria-label={label} className="-mt-1 border-b border-line">
      <ul className="flex gap-1">
        {pages.map((page) => (
          <li key={page.label}>
            <Link
              to={page.to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="-mb-px block border-b-2 border-transparent px-2 py-1.5 text-sm font-medium text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {page.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
