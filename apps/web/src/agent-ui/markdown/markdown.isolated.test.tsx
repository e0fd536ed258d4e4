// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import '../../shared/testing/component-tests.ts';
import { Markdown } from './markdown.tsx';
import { readEntityAddress } from './entity-address.ts';

vi.mock('./entity-link.tsx', () => ({
  EntityLink: ({ address, children }: { address: object; children: string }) => (
    <a href="/in-docwright" title={JSON.stringify(address)}>
      {children}
    </a>
  ),
}));

afterEach(cleanup);

const id = '0123456789abcdef01234567';

function renderMarkdown(text: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Markdown text={text} />
    </QueryClientProvider>,
  );
}

it.each([
  [`schema:${id}`, { kind: 'schema', id }],
  [`prompt:${id.toUpperCase()}`, { kind: 'prompt', id }],
  [`tag:${id}`, { kind: 'tag', id }],
  ['page:12', { kind: 'page', page: 12 }],
])('turns %s into an entity link', (href, address) => {
  renderMarkdown(`See [this one](${href}).`);
  expect(JSON.parse(screen.getByRole('link').title)).toEqual(address);
});

it.each(['schema:123', `schema:${id}/../x`, 'page:0', 'page:99999999', 'page:1x', `tags:${id}`, ''])(
  'does not link %j',
  (href) => {
    expect(readEntityAddress(href)).toBeUndefined();
    renderMarkdown(`See [this one](${href}).`);
    expect(screen.queryByRole('link')).toBeNull();
    screen.getByText('this one');
  },
);

it('neither runs scripts nor loads images from an answer', () => {
  renderMarkdown('[a](javascript:alert(1)) [b](data:text/html,x) <script>x</script> ![pic](https://example.com/p.png)');
  expect(screen.queryByRole('link')).toBeNull();
  expect(document.querySelector('script, img')).toBeNull();
});

it.each([
  ['[Sign in to Docwright](https://evil.example/login?d=1)', 'Sign in to Docwright (evil.example)'],
  ['[docwright.example](https://docwright.example@evil.example/)', 'docwright.example (evil.example)'],
  ['[https://docwright.example/a](https://evil.example)', 'https://docwright.example/a (evil.example)'],
  ['[support](mailto:a@evil.example)', 'support (a@evil.example)'],
  ['[**Approve**](//evil.example)', 'Approve (evil.example)'],
  ['https://evil.example/a', 'https://evil.example/a'],
  ['[evil.example/a](https://evil.example/a)', 'evil.example/a'],
  ['a@evil.example', 'a@evil.example'],
  ['[here](/documents)', 'here'],
  ['[broken](<https://[>)', 'broken (https://%5B)'],
])('shows where the link %j of an answer leads', (text, shown) => {
  renderMarkdown(text);
  expect(screen.getByRole('link').textContent).toBe(shown);
});

it('highlights code of a known language once it stops growing, and leaves other code plain', async () => {
  renderMarkdown('```json\n{ "total": 5 }\n```\n\n```klingon\nqapla\n```');
  const number = await vi.waitFor(() => {
    const element = document.querySelector('.hljs-number');
    if (!element) throw new Error('not highlighted yet');
    return element;
  }, 25_000);
  expect(number.textContent).toBe('5');
  expect(screen.getByText('qapla').textContent).toBe('qapla\n');
}, 30_000);
