import { memo, useMemo, useEffect, useState, type ReactNode } from 'react';
import ReactMarkdown, { defaultUrlTransform, type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
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

/** A block that still grows is coloured once it rests. */
const restMs = 120;

/** Code of an answer, coloured where its language is known; what colours it is loaded with the first block. */
function CodeBlock({ code, language }: { code: string; language: string }) {
  const [coloured, setColoured] = useState<{ code: string; nodes: ReactNode[] }>();
  useEffect(() => {
    let gone = false;
    const colour = async () => {
      const { highlighted } = await import('./highlight.ts');
      const nodes = gone ? undefined : highlighted(code, language);
      if (nodes) setColoured({ code, nodes });
    };
    // Without its colours the code reads as well.
    const timer = setTimeout(() => void colour().catch(() => undefined), restMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [code, language]);
  return <code className={`language-${language}`}>{coloured?.code === code ? coloured.nodes : code}</code>;
}
