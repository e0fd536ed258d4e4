import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../session/session.tsx';
import { Button, linkButtonClass } from '../ui/button.tsx';
import { PageKeys, type KeyHint } from '../ui/dialogs/page-keys.tsx';
import { AppHeader } from './app-header.tsx';

interface PageProps {
  title: string;
  /** Link above the heading, to the parent page. */
  back?: ReactNode;
  /** Line below the heading. */
  note?: ReactNode;
  actions?: ReactNode;
  /** Keys of this page, listed by `?`. */
  keys?: readonly KeyHint[];
  children: ReactNode;
}

const noKeys: readonly KeyHint[] = [];

/** A page: header, heading, actions and content. */
export function Page({ title, back, note, actions, keys = noKeys, children }: PageProps) {
  const { organization } = useSession();
  return (
    <>
      <title>{`${title} · Docwright`}</title>
      <PageKeys keys={keys} />
      <AppHeader>
        <span className="truncate text-sm text-ink-soft">{organization.name}</span>
      </AppHeader>
      <main className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-6xl flex-col gap-4 p-4 md:p-6">
          {back}
          <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 flex-[1_1_12rem]">
              <h1 className="text-xl font-semibold wrap-anywhere">{title}</h1>
              {note !== undefined && <div className="mt-0.5 text-sm text-ink-soft">{note}</div>}
            </div>
            {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
          </div>
          {children}
        </div>
      </main>
    </>
  );
}

export const panelClass = 'rounded-lg border border-line bg-surface';

/** The link above the heading, to the parent page. */
export function BackLink({ children, ...link }: Pick<LinkProps, 'to' | 'params'> & { children: ReactNode }) {
  return (
    <Link
      {...link}
      className="inline-flex items-center gap-1 self-start rounded-sm text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" /> {children}
    </Link>
  );
}

interface FormActionsProps {
  /** Where Cancel leads. */
  cancel: Pick<LinkProps, 'to' | 'params'>;
  isDisabled: boolean;
  /** The label of the button that submits the form. */
  children: ReactNode;
}

/** The last row of a form that is a page: Cancel, and the button that submits it. */
export function FormActions({ cancel, isDisabled, children }: FormActionsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Link {...cancel} className={linkButtonClass('secondary')}>
        Cancel
      </Link>
      <Button type="submit" look="primary" disabled={isDisabled}>
        {children}
      </Button>
    </div>
  );
}
