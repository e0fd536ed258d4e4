import { useEffect, useState, type ReactNode } from 'react';

/** A block that still grows is coloured once it rests. */
const restMs = 120;

/** Code of an answer, coloured where its language is known; what colours it is loaded with the first block. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
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
