// @vitest-environment happy-dom
import type { Document } from '@docwright/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import '../../../shared/testing/component-tests.ts';
import { PasswordForm } from '../../viewer/document-viewer.tsx';
import { UnreadLayer } from '../../viewer/pages/page-frame.tsx';
import { DocumentNotes } from './document-notes.tsx';
import { renderPage } from '../../../shared/testing/render-page.tsx';

afterEach(() => void vi.unstubAllGlobals());

const picture = { kind: 'picture', page_num: 2, box: { x0: 60, y0: 80, x1: 120, y1: 160 }, message: 'Nothing sure.' };
const mail = { id: 'm', document_name: 'Mail.eml', mime_type: 'message/rfc822' } as Document;
const invoice = { id: 'i', document_name: 'Invoice.pdf', mime_type: 'application/pdf', attached_to: 'm' } as Document;

const patched: unknown[] = [];
function show(element: ReactNode) {
  patched.length = 0;
  vi.stubGlobal('fetch', async (path: string, { body, method }: { body?: string; method?: string } = {}) => {
    const own = path.replace('/v0/orgs/org/documents', '');
    if (path.includes('/routes?')) return Response.json({ routes: [{ id: 'r', name: 'Invoices' }], total_count: 1 });
    if (own.startsWith('?')) return Response.json({ documents: own.includes('attached_to=m') ? [invoice] : [] });
    if (method === 'PATCH') {
      patched.push(JSON.parse(body ?? ''));
      return Response.json(invoice);
    }
    if (own === '/m') return Response.json(mail);
    if (own === '/i/text') return Response.json({ pages: [{ page_num: 2, text: '', unread: [picture] }] });
    if (own.startsWith('/i/words')) return Response.json({ page: { width: 600, height: 800 }, words: [] });
    if (own === '/i/password' && body === JSON.stringify({ password: 'geheim' })) return Response.json(invoice);
    const error = { code: 'wrong_file_password', message: 'This is not the password of the PDF.' };
    return Response.json({ error }, { status: 422 });
  });
  renderPage({ '/': element, '/documents/$documentId': null, '/review': null });
}

it('shows what was not read, and leads to the mail that a document was attached to', async () => {
  const attachment = { kind: 'attachment', name: 'plan.dwg', message: 'It cannot be read.' };
  show(<DocumentNotes document={{ ...invoice, unread: [picture, attachment] as never }} />);
  expect(await screen.findByText('2 parts were not read')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Page 2' }).getAttribute('href')).toBe('/documents/i?page=2');
  expect(screen.getByText('plan.dwg:')).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Mail.eml' })).getAttribute('href')).toBe('/documents/m');
});

it('shows which fields are signed, and what they show', async () => {
  const box = { x0: 0, y0: 0, x1: 9, y1: 9 };
  const signatures = [
    { page_num: 2, box, signed: true, drawn_text: 'Ada Lovelace' },
    { page_num: 3, box, signed: false },
    { page_num: 4, box, signed: false, drawn_text: 'Grace Hopper' },
  ];
  show(<DocumentNotes document={{ ...invoice, signatures }} />);
  expect(await screen.findByText('1 of 3 fields signed')).toBeTruthy();
  const [signed, open, drawn] = screen.getAllByRole('listitem', { hidden: true });
  expect(signed?.textContent).toBe('Page 2: signed: Ada Lovelace');
  expect(open?.textContent).toBe('Page 3: not signed');
  expect(drawn?.textContent).toBe('Page 4: not signed in the file, but shows: Grace Hopper');
});

it('shows what is written for machines, with its page and what is wrong in it', async () => {
  const machine_data = [
    {
      kind: 'invoice_xml',
      data: { number: 'R-7', seller: { name: 'Seller GmbH' }, lines: [{ id: '1' }, { id: '2' }] },
    },
    {
      kind: 'qr_code',
      profile: 'swiss_qr_bill',
      page_num: 3,
      data: { amount: '9.50', problems: ['The IBAN is missing.'] },
    },
  ];
  show(<DocumentNotes document={{ ...invoice, machine_data } as Document} />);
  expect(await screen.findByText('Written for machines (2)')).toBeTruthy();
  expect(screen.getByText('seller: name').nextElementSibling?.textContent).toBe('Seller GmbH');
  expect(screen.getByText('lines').nextElementSibling?.textContent).toBe('2');
  expect(screen.getByText('QR code (Swiss QR-bill)')).toBeTruthy();
  expect(screen.getByText('The IBAN is missing.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'page 3' }).getAttribute('href')).toBe('/documents/i?page=3');
});

it('lists the attachments of a mail', async () => {
  show(<DocumentNotes document={mail} />);
  expect((await screen.findByRole('link', { name: 'Invoice.pdf' })).getAttribute('href')).toBe('/documents/i');
});

it('says where a document went, that no model sees it, and what it is a version of', async () => {
  const routing = { state: 'unsure', route_ids: ['r', 'gone'], why: 'It has “invoice”.', by: 'rule' } as const;
  show(
    <DocumentNotes
      document={{ ...invoice, attached_to: undefined, routing, never_to_model: true, replaces: 'old' } as never}
    />,
  );
  expect(await screen.findByText('Kept from models')).toBeTruthy();
  expect((await screen.findByText(/^Route: Invoices, a deleted route/u)).title).toBe('It has “invoice”.');
  expect(screen.getByRole('link', { name: 'A user decides its route' }).getAttribute('href')).toContain('tab');
  const former = screen.getByRole('link', { name: 'Replaces an earlier version' });
  expect(former.getAttribute('href')).toBe('/documents/old');
});

it('makes a duplicate a document of its own, and says that its file is gone', async () => {
  const user = userEvent.setup();
  const missing_since = new Date().toISOString();
  show(<DocumentNotes document={{ ...invoice, attached_to: undefined, duplicate_of: 'm', missing_since }} />);
  expect(await screen.findByText(/^Gone from its source/u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Make it a document of its own' }));
  await vi.waitFor(() => expect(patched).toEqual([{ duplicate_of: null }]));
});

it('marks the place on the page', async () => {
  show(<UnreadLayer documentId="i" pageNumber={2} />);
  const mark = (await screen.findByText('Not read: Nothing sure.')).parentElement!;
  expect(mark.style).toMatchObject({ left: '10.000%', top: '10.000%', width: '10.000%', height: '10.000%' });
});

it('opens a PDF with its password, and says when it is another one', async () => {
  const user = userEvent.setup();
  show(<PasswordForm documentId="i" />);
  const field = await screen.findByLabelText(/^Password of the PDF/u);
  await user.type(field, 'falsch');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByText('This is not the password of the PDF.')).toBeTruthy();
  await user.clear(field);
  await user.type(field, 'geheim{Enter}');
  await vi.waitFor(() => expect(screen.queryByText('This is not the password of the PDF.')).toBeNull());
});
