import type { Mention } from '@docwright/contract';
import { FileJson, MessageSquareQuote, Tag as TagIcon } from 'lucide-react';
import { createElement } from 'react';
import type { MentionChoice } from '../composer/mention-markup.ts';
import { ThingLink } from '../../../agent-ui/markdown/entity-link.tsx';
import { ThingName } from './entity-name.tsx';

const icons = { schema: FileJson, prompt: MessageSquareQuote, tag: TagIcon };

/** What a message mentions, as it was meant: by id, whatever its text says. */
export function MentionChips({ mentions, choices }: { mentions: Mention[]; choices: MentionChoice[] }) {
  return (
    <ul aria-label="Mentions" className="mt-1.5 flex flex-wrap gap-1">
      {mentions.map(({ type, id }) => (
        <li
          key={`${type}:${id}`}
          className="inline-flex max-w-full items-center gap-1 rounded-sm bg-raised px-1.5 py-0.5 text-xs text-ink-soft"
        >
          {createElement(icons[type], { 'aria-hidden': true, className: 'size-3.5 shrink-0' })}
          <span className="truncate [&_a:hover]:underline">
            <ThingLink address={{ kind: type, id }}>
              {choices.find((choice) => choice.id === `${type}:${id}`)?.display ?? <ThingName kind={type} id={id} />}
            </ThingLink>
          </span>
        </li>
      ))}
    </ul>
  );
}
