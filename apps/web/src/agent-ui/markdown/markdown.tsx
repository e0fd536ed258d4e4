import { memo, useMemo } from 'react';
import ReactMarkdown, { defaultUrlTransform, type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { CodeBlock } from './code-block.tsx';
import { splitMarkdown } from './split-markdown.ts';
import { readThingAddress } from './entity-address.ts';
import { ThingLink } from './entity-link.tsx';

const remarkPlugins = [remarkGfm];
const { protocols } = defaultSchema;
const sanitizing = {
  ...defaultSchema,
  protocols: { ...protocols, href: [...(protocols?.['href'] ?? []), 'schema', 'prompt', 'tag', 'page'] },
};
const rehypePlugins = [[rehypeSanitize, sanitizing] satisfies [typeof rehypeSanitize, typeof sanitizing]];

/** Addresses within Docwright pass, but only whole and well-formed; of all others, those that cannot do harm. */
const urlTransform = (url: string) => (readThingAddress(url) ? url : defaultUrlTransform(url));

const components: Components = {
  a: ({ href, children }) => {
    const address = readThingAddress(href);
    if (address) return <ThingLink address={address}>{children}</ThingLink>;
    if (href === undefined || href === '') return <span>{children}</span>;
    return (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
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
  // Pictures would be fetched from wherever the text says: their words stand for them.
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

/** Sanitised markdown, drawn block by block: as it streams, only the last block is drawn anew. */
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
