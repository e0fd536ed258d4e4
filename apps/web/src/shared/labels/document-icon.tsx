import { File, FileImage, FileSpreadsheet, FileText, Mail, type LucideIcon } from 'lucide-react';
import { createElement } from 'react';

export function DocumentIcon({ mimeType }: { mimeType: string }) {
  return createElement(iconFor(mimeType), {
    'aria-hidden': true,
    className: 'size-4 shrink-0 text-ink-faint',
    strokeWidth: 1.75,
  });
}

function iconFor(mimeType: string): LucideIcon {
  if (mimeType.startsWith('image/')) return FileImage;
  if (mimeType === 'message/rfc822') return Mail;
  if (mimeType === 'text/csv' || mimeType.includes('spreadsheet')) return FileSpreadsheet;
  if (mimeType === 'application/pdf' || mimeType.startsWith('text/') || mimeType.includes('word')) return FileText;
  return File;
}
