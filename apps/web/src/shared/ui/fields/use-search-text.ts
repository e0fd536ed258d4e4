import { useEffect, useEffectEvent, useState } from 'react';

interface SearchTextOptions {
  /** The query of the URL. */
  value: string;
  /** Milliseconds from the last key to the search. */
  delayMs: number;
  /** Receives the trimmed text. */
  onSearch: (query: string) => void;
}

/**
 * The text of a field that searches while the user types. The text can be newer than the query in the URL.
 *
 * @example
 * const { text, setText, sendNow } = useSearchText({ value, delayMs: 250, onSearch });
 */
export function useSearchText({ value, delayMs, onSearch }: SearchTextOptions) {
  const [text, setText] = useState(value);
  // The last query sent from here.
  const [sent, setSent] = useState(value);
  const [shown, setShown] = useState(value);
  // Back, forward and links change the URL without the field.
  if (shown !== value) {
    setShown(value);
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const query = text.trim();
  const send = (next: string) => {
    if (next === sent) return;
    setSent(next);
    onSearch(next);
  };
  const sendLater = useEffectEvent(send);
  useEffect(() => {
    const timer = setTimeout(() => sendLater(query), delayMs);
    return () => clearTimeout(timer);
  }, [query, delayMs]);
  return {
    text,
    setText,
    // A search that waited any longer would lead back from the page that the user has opened.
    /** Searches without waiting, if the text has changed. Call it when the field loses the focus. */
    sendNow: () => send(query),
    clear: () => {
      setText('');
      send('');
    },
  };
}
