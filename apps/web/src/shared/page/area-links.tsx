import { Link, type LinkProps } from '@tanstack/react-router';

interface AreaLinksProps {
  label: string;
  areas: readonly { to: NonNullable<LinkProps['to']>; label: string }[];
}

/** The halves of one place of the product. */
export function AreaLinks({ label, areas }: AreaLinksProps) {
  return (
    <nav aria-label={label} className="-mt-1 border-b border-line">
      <ul className="flex gap-1">
        {areas.map((area) => (
          <li key={area.label}>
            <Link
              to={area.to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="-mb-px block border-b-2 border-transparent px-2 py-1.5 text-sm font-medium text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {area.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
