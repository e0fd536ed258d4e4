import { lazy, Suspense, useState, type ComponentType } from 'react';

interface MarkdownProps {
  text: string;
}

const PlainText = ({ text }: MarkdownProps) => <div className="markdown whitespace-pre-wrap">{text}</div>;

let loaded: ComponentType<MarkdownProps> | undefined;

/** Loads the code that renders markdown, before a text is there. Without it, texts stay plain and can be read. */
export async function loadMarkdown(): Promise<{ default: ComponentType<MarkdownProps> }> {
  try {
    loaded ??= (await import('./markdown.tsx')).Markdown;
  } catch {
    return { default: PlainText };
  }
  return { default: loaded };
}

const Late = lazy(loadMarkdown);

/** Markdown of a conversation. Its code is a seventh of what a page with an agent needs, and a new conversation has no text yet. */
export function LazyMarkdown({ text }: MarkdownProps) {
  // What is shown at once has its height from the start, so that nothing moves below the reader.
  const [Shown] = useState(() => loaded ?? Late);
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <Shown text={text} />
    </Suspense>
  );
}
