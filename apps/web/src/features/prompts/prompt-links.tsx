import { Link } from '@tanstack/react-router';

const pages = [
  { to: '/prompts/$promptId', label: 'Prompt' },
  { to: '/prompts/$promptId/accuracy', label: 'Accuracy' },
  { to: '/prompts/$promptId/try', label: 'Try a change' },
] as const;

/** Links below the heading of a prompt: the prompt, its accuracy, trying a change, and its results. */
export function PromptLinks({ promptId }: { promptId: string }) {
  return (
    <nav aria-label="Prompt" className="-mt-1 border-b border-line">
      <ul className="flex flex-wrap gap-x-1 whitespace-nowrap">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ promptId }}
              activeOptions={{ exact: true, includeSearch: false }}
              className="-mb-px block border-b-2 border-transparent px-2 py-1.5 text-sm font-medium text-ink-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
        <li>
          <Link
            to="/results"
            search={{ prompt: promptId }}
            className="-mb-px block border-b-2 border-transparent px-2 py-1.5 text-sm font-medium text-ink-soft hover:text-ink"
          >
            Results
          </Link>
        </li>
        <li>
          <Link
            to="/ask"
            search={{ prompt: promptId }}
            className="-mb-px block border-b-2 border-transparent px-2 py-1.5 text-sm font-medium text-ink-soft hover:text-ink"
          >
            Ask about results
          </Link>
        </li>
      </ul>
    </nav>
  );
}
