import { lazy, Suspense } from 'react';

interface MarkdownProps {
  text: string;
}

const PlainText = ({ text }: MarkdownProps) => <div className="markdown whitespace-pre-wrap">{text}</div>;

/** Loads the code that renders markdown, before a text is there. Without it, texts stay plain and can be read. */
export const loadMarkdown = async () => {
  try {
    return { default: (await import('./markdown.tsx')).Markdown };
  } catch {
    return { default: PlainText };
  }
};

const Rendered = lazy(loadMarkdown);

/** Markdown of a conversation. Its code is a seventh of what a page with an agent needs, and a new conversation has no text yet. */
export function LazyMarkdown({ text }: MarkdownProps) {
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <Rendered text={text} />
    </Suspense>
  );
}
