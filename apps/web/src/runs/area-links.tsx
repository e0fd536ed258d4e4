import { Link } from '@tanstack/react-router';

const areas = [
  { to: '/schedules', label: 'Schedules' },
  { to: '/runs', label: 'Runs' },
] as const;

/** The two halves of work that nobody watches: what is planned, and what was done. */
export function AreaLinks() {
  return (
    <nav aria-label="Schedules and runs" className="-mt-1 border-b border-line">
      <ul className="flex gap-1">
        {areas.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="-mb-px block border-b-2 border-transparent px-2 py-1.5 text-sm font-medium text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
