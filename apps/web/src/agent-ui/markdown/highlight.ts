import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import './code.css';
import { createElement, type ReactNode } from 'react';

const lowlight = createLowlight({ bash, css, diff, javascript, json, python, sql, typescript, xml, yaml });

/** Highlighting longer code takes too long. */
const maxCharacters = 10_000;

/** Highlights code as spans; undefined for an unknown language or very long code. */
export function highlightCode(code: string, language: string): ReactNode[] | undefined {
  if (!lowlight.registered(language) || code.length > maxCharacters) return undefined;
  return lowlight.highlight(language, code).children.map(toNode);
}

type HighlightNode = ReturnType<typeof lowlight.highlight>['children'][number];

function toNode(node: HighlightNode, index: number): ReactNode {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties['className'];
  const className = Array.isArray(names) ? names.join(' ') : undefined;
  return createElement('span', { key: index, className }, ...node.children.map(toNode));
}
