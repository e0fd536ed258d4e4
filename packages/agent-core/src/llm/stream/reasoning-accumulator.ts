import type { ReasoningBlock } from '../llm-client.ts';
import { objectsOf, textOf, type CompletionDelta } from './completion-chunk.ts';

type OpenBlock =
  | { kind: 'text'; field: 'reasoning_content' | 'reasoning'; text: string }
  | { kind: 'thinking'; text: string; signature?: string }
  | { kind: 'redacted'; data: string };

/** What a block counts for beside its text, so that no number of empty ones is without a limit. */
const perBlock = 20;

/**
 * Keeps an answer's reasoning blocks in their order. A signature closes the block it belongs to, in whichever
 * delta it comes; one without a block of its own is a block that holds nothing else.
 */
export class ReasoningAccumulator {
  readonly #blocks: OpenBlock[] = [];
  readonly #signatures = new Set<string>();
  #sealedLength = 0;

  /** Characters of signatures and of blocks that nobody can read; each block counts some, however empty. */
  get sealedLength(): number {
    return this.#sealedLength;
  }

  /** Takes a delta, gives the thinking text that is new in it. */
  add(delta: CompletionDelta): string {
    const blocks = objectsOf(delta.thinking_blocks);
    if (blocks.length > 0) return blocks.map((block) => this.#addBlock(block)).join('');
    const content = textOf(delta.reasoning_content);
    if (content !== undefined) return this.#addText('reasoning_content', content);
    const reasoning = textOf(delta.reasoning);
    const said = reasoning ?? textOfDetails(delta.reasoning_details);
    return said === undefined ? '' : this.#addText('reasoning', said);
  }

  /** Thinking that came as a part of the content. */
  addPart(text: string): void {
    this.#addText('reasoning', text);
  }

  finish(): ReasoningBlock[] {
    return this.#blocks.map((block) => ({ ...block }));
  }

  #addText(field: 'reasoning_content' | 'reasoning', text: string): string {
    const last = this.#blocks.at(-1);
    if (last?.kind === 'text' && last.field === field) last.text += text;
    else {
      this.#blocks.push({ kind: 'text', field, text });
      this.#sealedLength += perBlock;
    }
    return text;
  }

  #addBlock(block: Record<string, unknown>): string {
    const data = textOf(block['data']);
    this.#sealedLength += perBlock + (data?.length ?? 0) + (textOf(block['signature'])?.length ?? 0);
    if (data !== undefined) {
      this.#blocks.push({ kind: 'redacted', data });
      return '';
    }
    const text = textOf(block['thinking']) ?? '';
    const signature = textOf(block['signature']);
    if (signature !== undefined) {
      // A block that is sent once more in full at the end.
      if (this.#signatures.has(signature)) return '';
      this.#signatures.add(signature);
    }
    const last = this.#blocks.at(-1);
    if (text === '' && signature !== undefined && last?.kind === 'text' && last.field === 'reasoning_content') {
      this.#blocks.splice(-1, 1, { kind: 'thinking', text: last.text, signature });
      return '';
    }
    const open = last?.kind === 'thinking' && last.signature === undefined ? last : undefined;
    if (open === undefined) {
      if (text === '' && signature === undefined) return '';
      this.#blocks.push({ kind: 'thinking', text, ...(signature === undefined ? {} : { signature }) });
      return text;
    }
    open.text += text;
    if (signature !== undefined) open.signature = signature;
    return text;
  }
}

/** What can be read of OpenRouter's list; the rest of it is encrypted. */
function textOfDetails(details: unknown): string | undefined {
  return textOf(
    objectsOf(details)
      .map((detail) => textOf(detail['text']) ?? textOf(detail['summary']) ?? '')
      .join(''),
  );
}
