import {
  extensionLabel,
  shownSetting,
  type PipelineStep,
  type StepKind,
  type StepPart,
} from '../state/pipeline-steps.ts';
import { labelOfName } from '../../../shared/formats/capitalize.ts';

const about: Record<StepKind, string> = {
  parse: 'Turns each file into text. The first matching line reads it.',
  extract: 'Extracts fields with a prompt; they are searchable beside the text.',
  chunk: 'Splits the text into chunks for the search.',
  embed: 'Turns the chunks into vectors, so that the search finds meaning, not only keywords.',
  index: 'Indexes the chunks for the search.',
};

const without: Partial<Record<StepKind, string>> = {
  extract: 'This pipeline extracts no fields. Ask the agent to add a prompt of yours.',
  embed: 'This pipeline searches by keywords only. Connect an embedding model and ask the agent to use it.',
};

/** Explains a step and lists the settings of its plugins. */
export function PipelineDetails({ step: { kind, label, parts } }: { step: PipelineStep }) {
  return (
    <section aria-label={`Details of ${label}`} className="rounded-md border border-line bg-raised p-3 text-sm">
      <p className="text-ink-soft">{parts.length === 0 ? (without[kind] ?? about[kind]) : about[kind]}</p>
      {parts.length > 0 && (
        <ul className="mt-2 flex flex-col divide-y divide-line">
          {parts.map((part, at) => (
            <Part key={at} part={part} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Part({ part: { extensions, plugin, description, config, fallback } }: { part: StepPart }) {
  const settings = Object.entries(config);
  return (
    <li className="flex flex-col gap-1 py-2 first:pt-0 last:pb-0">
      <p className="font-medium wrap-anywhere">
        {plugin}
        {extensions.length > 0 && (
          <span className="ml-2 font-mono text-xs font-normal text-ink-soft">{extensionLabel(extensions)}</span>
        )}
      </p>
      {description !== undefined && <p className="text-xs text-ink-soft">{description}</p>}
      {fallback !== undefined && <p className="text-xs text-ink-soft">{fallback} reads what it cannot read.</p>}
      {settings.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
          {settings.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-soft">{labelOfName(name)}</dt>
              <dd className="font-mono wrap-anywhere">{shownSetting(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
