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

/** Beyond this, colours are worth less than the time they take. */
const maxCharacters = 10_000;

/** Code as coloured spans; undefined for a language that is not known here, and for very long code. */
export function highlighted(code: string, language: string): ReactNode[] | undefined {
  if (!lowlight.registered(language) || code.length > maxCharacters) return undefined;
  return lowlight.highlight(language, code).children.map(toNode);
}

type Piece = ReturnType<typeof lowlight.highlight>['children'][number];

function toNode(piece: Piece, index: number): ReactNode {
  if (piece.type === 'text') return piece.value;
  if (piece.type !== 'element') return null;
  const names = piece.properties['className'];
  const className = Array.isArray(names) ? names.join(' ') : undefined;
  return createElement('span', { key: index, className }, ...piece.children.map(toNode));
}
