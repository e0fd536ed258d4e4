// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Component, Suspense, type ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import '../../testing/component-tests.ts';
import { lazyPart } from './lazy-part.tsx';

class Page extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError = (error: Error) => ({ error });
  override render = () =>
    this.state.error ? (
      <p>{this.state.error.message}</p>
    ) : (
      <>
        <input aria-label="Note" />
        <Suspense>{this.props.children}</Suspense>
      </>
    );
}

it('keeps the page and what was written when the code of a part does not arrive, and loads it again', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  let isThere = false;
  const Part = lazyPart(async () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: ({ name }: { name: string }) => <p>Part {name}</p> };
  });
  const user = userEvent.setup();
  const page = (children: ReactNode) => <Page>{children}</Page>;
  const { rerender } = render(page(null));
  await user.type(screen.getByLabelText('Note'), 'half a sentence');
  rerender(page(<Part name="A" />));
  expect((await screen.findByRole('alert')).textContent).toContain('What you have written is still here');
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'half a sentence');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  isThere = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Part A')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows one notice for all parts whose code does not arrive, which loads them all again', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  let isThere = false;
  const partOf = (name: string) =>
    lazyPart(async () => {
      if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
      return { default: () => <p>Part {name}</p> };
    });
  const [One, Other, Third] = ['A', 'B', 'C'].map(partOf) as [
    ReturnType<typeof partOf>,
    ReturnType<typeof partOf>,
    ReturnType<typeof partOf>,
  ];
  const user = userEvent.setup();
  const page = (third: ReactNode) => (
    <Page>
      <Suspense>
        <One />
      </Suspense>
      <Suspense>
        <Other />
      </Suspense>
      <Suspense>{third}</Suspense>
    </Page>
  );
  const { rerender } = render(page(<Third />));
  await screen.findByRole('alert');
  expect(await screen.findAllByRole('alert')).toHaveLength(1);
  // The notice stays for the others when a part is no longer shown.
  rerender(page(null));
  expect(await screen.findAllByRole('alert')).toHaveLength(1);
  isThere = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Part A')).toBeTruthy();
  expect(await screen.findByText('Part B')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('leaves the errors of the part itself to the page', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const Part = lazyPart(async () => ({
    default: (): ReactNode => {
      throw new Error('a fault of the part');
    },
  }));
  render(
    <Page>
      <Part />
    </Page>,
  );
  expect(await screen.findByText('a fault of the part')).toBeTruthy();
});
