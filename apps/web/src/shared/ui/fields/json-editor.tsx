import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching } from '@codemirror/language';
import { linter, type Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';

interface JsonEditorProps {
  /** Accessible name. */
  label: string;
  /** Initial text. */
  text: string;
  onChange: (text: string) => void;
  /** Called on Ctrl+Enter. */
  onSubmit: () => void;
  onCancel: () => void;
}

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', fontSize: '0.75rem', maxHeight: '20rem' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-faint)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
});

/** Marks syntax errors; the surrounding form reports an empty text. */
const parse = jsonParseLinter();
const marks = linter((view): Diagnostic[] => (view.state.doc.length === 0 ? [] : parse(view)), { delay: 200 });

/** Edits JSON and marks its errors. Tab leaves the editor, so that the keyboard is never trapped. */
export function JsonEditor({ label, text, onChange, onSubmit, onCancel }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const changed = useEffectEvent(onChange);
  const submitted = useEffectEvent(onSubmit);
  const cancelled = useEffectEvent(onCancel);
  const createView = useEffectEvent((parent: HTMLElement) => {
    const ownKeys = [
      { key: 'Mod-Enter', run: () => (submitted(), true) },
      { key: 'Escape', run: () => (cancelled(), true) },
    ];
    return new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          json(),
          marks,
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
          keymap.of([...ownKeys, ...defaultKeymap, ...historyKeymap]),
        ],
      }),
    });
  });
  useEffect(() => {
    if (!place.current) return;
    const view = createView(place.current);
    view.focus();
    return () => view.destroy();
  }, []);
  return (
    <div ref={place} className="overflow-hidden rounded-md border border-line-strong focus-within:border-accent" />
  );
}
