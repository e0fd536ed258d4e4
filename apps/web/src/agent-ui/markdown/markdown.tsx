import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { memo, useMemo, useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import ReactMarkdown, { defaultUrlTransform, type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { splitMarkdown } from './split-markdown.ts';
import { readEntityAddress } from './entity-address.ts';
import { EntityLink } from './entity-link.tsx';

/**
 * Markdown as GitHub has it: tables, addresses as links, strikethrough and task lists. `remark-gfm` also has footnotes, which do
 * not work in text that is rendered by block, and writes Markdown, which nothing here does: 4 kB more to send.
 */
function remarkGithub(this: { data: () => object }): void {
  const data: { micromarkExtensions?: object[]; fromMarkdownExtensions?: object[] } = this.data();
  (data.micromarkExtensions ??= []).push(gfmAutolinkLiteral(), gfmStrikethrough(), gfmTable(), gfmTaskListItem());
  (data.fromMarkdownExtensions ??= []).push(
    gfmAutolinkLiteralFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTableFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  );
}

const remarkPlugins = [remarkGithub];
const { protocols } = defaultSchema;
const sanitizeSchema = {
  ...defaultSchema,
  protocols: { ...protocols, href: [...(protocols?.['href'] ?? []), 'schema', 'prompt', 'tag', 'page'] },
};
const rehypePlugins = [[rehypeSanitize, sanitizeSchema] satisfies [typeof rehypeSanitize, typeof sanitizeSchema]];

/** Keeps well-formed entity addresses and harmless URLs. */
const urlTransform = (url: string) => (readEntityAddress(url) ? url : defaultUrlTransform(url));

/** A document can dictate a link with any text: where it leads stands behind it, unless the text begins with that. */
function hiddenTarget(href: string, text: ReactNode): string {
  if (!URL.canParse(href, location.href)) return ` (${href})`;
  const { protocol, host, pathname } = new URL(href, location.href);
  if (host === location.host) return '';
  const target = host === '' ? pathname : host;
  const isShown = typeof text === 'string' && text.replace(`${protocol}//`, '').split('/')[0] === target;
  return isShown ? '' : ` (${target})`;
}

const components: Components = {
  a: ({ href, children }) => {
    const address = readEntityAddress(href);
    if (address) return <EntityLink address={address}>{children}</EntityLink>;
    if (href === undefined || href === '') return <span>{children}</span>;
    return (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
        {hiddenTarget(href, children)}
      </a>
    );
  },
  table: ({ children }) => (
    <div {...scrolledByKeys} className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
  code: ({ className, children }) => {
    const language = /^language-([\w+#-]+)$/.exec(className ?? '')?.[1];
    if (language === undefined || typeof children !== 'string') return <code>{children}</code>;
    return <CodeBlock code={children} language={language.toLowerCase()} />;
  },
  // Images could load from any server: the alternative text replaces them.
  img: ({ alt }) => <em>{alt}</em>,
};

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      urlTransform={urlTransform}
      components={components}
    >
      {text}
    </ReactMarkdown>
  );
});

/** Sanitised markdown, rendered by block: while it streams, only the last block renders again. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => splitMarkdown(text), [text]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

/** A growing block is highlighted after this pause. */
const pauseMs = 120;

type Plugin = Exclude<NonNullable<ComponentProps<typeof ReactMarkdown>['rehypePlugins']>, null>[number];

/** A node of sanitised markdown. */
export interface MarkdownTree {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, string>;
  children?: MarkdownTree[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

interface MarkedMarkdownProps {
  text: string;
  /** Runs on the sanitised tree, whose positions are offsets in the text. */
  mark: () => (tree: MarkdownTree) => void;
  /** How the elements that it adds look. */
  marks: Components;
}

/** Sanitised markdown as a whole, with places of the text marked. */
export const MarkedMarkdown = memo(function MarkedMarkdown({ text, mark, marks }: MarkedMarkdownProps) {
  return (
    <div className="markdown">
      <ReactMarkdown
        remarkPlugins={remarkPlugins}
        rehypePlugins={[...rehypePlugins, mark as Plugin]}
        urlTransform={urlTransform}
        components={{ ...components, ...marks }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** Code with highlighting if its language is known; the highlighter is loaded with the first block. */
function CodeBlock({ code, language }: { code: string; language: string }) {
  const [highlighted, setHighlighted] = useState<{ code: string; nodes: ReactNode[] }>();
  useEffect(() => {
    let isCancelled = false;
    const highlight = async () => {
      const { highlightCode } = await import('./highlight.ts');
      const nodes = isCancelled ? undefined : highlightCode(code, language);
      if (nodes) setHighlighted({ code, nodes });
    };
    // If loading fails, the code stays plain.
    const timer = setTimeout(() => void highlight().catch(() => undefined), pauseMs);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [code, language]);
  return <code className={`language-${language}`}>{highlighted?.code === code ? highlighted.nodes : code}</code>;
}
