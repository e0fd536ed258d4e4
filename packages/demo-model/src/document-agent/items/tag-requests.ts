import { bareName, namesIn } from '../../conversation/names.ts';

export type TagRequest =
  | { kind: 'create'; name: string; color: string | null }
  | { kind: 'add'; names: string[] }
  | { kind: 'remove'; names: string[] }
  | { kind: 'rename'; name: string; to: string }
  | { kind: 'delete'; name: string };

const colors: Readonly<Record<string, string>> = {
  red: '#dc2626',
  orange: '#ea580c',
  yellow: '#ca8a04',
  green: '#16a34a',
  blue: '#2563eb',
  purple: '#9333ea',
  pink: '#db2777',
  gray: '#6b7280',
  grey: '#6b7280',
  black: '#111827',
};

const thisDocument = String.raw`(?:this|the|it|dieses|das|ce)(?: (?:document|file|invoice|receipt|page|dokument))?`;

/** The tag changes that a message requests; undefined when it requests none. */
export function tagRequestIn(request: string): TagRequest | undefined {
  const text = request.trim().replace(/[.!?]+$/u, '');
  const match = (source: string) => new RegExp(source, 'iu').exec(text)?.groups;
  const added =
    match(String.raw`\b(?:tag|label|mark)\s+${thisDocument}\s+(?:with|as)\s+(?<names>.+)$`) ??
    match(
      String.raw`\b(?:add|put|set|attach|apply)\s+(?:the\s+)?(?:tags?|labels?)\s+(?<names>.+?)\s+(?:to|on|onto)\s+${thisDocument}$`,
    ) ??
    match(
      String.raw`\b(?:add|put|attach|apply)\s+(?:the\s+)?(?<names>.+?)\s+(?:tags?|labels?)\s+(?:to|on|onto)\s+${thisDocument}$`,
    );
  if (added) return { kind: 'add', names: tagNames(added.names) };
  const removed =
    match(
      String.raw`\b(?:remove|take|drop|delete)\s+(?:the\s+)?(?:tags?|labels?)\s+(?<names>.+?)\s+(?:from|off)\s+${thisDocument}$`,
    ) ??
    match(
      String.raw`\b(?:remove|take|drop|delete)\s+(?:the\s+)?(?<names>.+?)\s+(?:tags?|labels?)\s+(?:from|off)\s+${thisDocument}$`,
    ) ??
    match(String.raw`\buntag\s+(?<names>.+)$`);
  if (removed) return { kind: 'remove', names: tagNames(removed.names) };
  const renamed = match(String.raw`\brename\s+(?:the\s+)?tag\s+(?<name>.+?)\s+(?:to|into|as)\s+(?<to>.+)$`);
  if (renamed) return { kind: 'rename', name: bareName(renamed.name ?? ''), to: bareName(renamed.to ?? '') };
  const deleted =
    match(String.raw`\b(?:delete|remove|drop)\s+(?:the\s+)?tag\s+(?<name>.+)$`) ??
    match(String.raw`\b(?:delete|remove)\s+(?:the\s+)?(?<name>\S+)\s+tag$`);
  if (deleted) return { kind: 'delete', name: bareName(deleted.name ?? '') };
  const created = match(
    String.raw`\b(?:create|make|add|new)\s+(?:a\s+|an\s+|the\s+)?(?:new\s+)?(?<color>${Object.keys(colors).join('|')})?\s*tag\s+(?:called\s+|named\s+|for\s+)?(?<name>.+?)(?:\s+(?:in|with)\s+(?:the\s+)?(?:colou?r\s+)?(?<in>${Object.keys(colors).join('|')}|#[\da-f]{6}))?$`,
  );
  if (!created) return undefined;
  const color = (created.color ?? created.in)?.toLowerCase();
  return {
    kind: 'create',
    name: bareName(created.name ?? ''),
    color: color === undefined ? null : (colors[color] ?? color),
  };
}

function tagNames(list: string | undefined): string[] {
  return namesIn((list ?? '').replace(/^(?:the\s+)?(?:tags?|labels?)\s+/iu, ''));
}
