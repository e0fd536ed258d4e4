import type { ReasoningBlock } from '../llm-client.ts';
import { objectsOf, textOf, type CompletionDelta } from './completion-chunk.ts';

type OpenBlock =
  | { kind: 'text'; field: 'reasoning_content' | 'reasoning'; text: string }
  | { kind: 'thinking'; text: string; signature?: string }
  | { kind: 'redacted'; data: string }
  | { kind: 'detail'; detail: Record<string, unknown> };

/** The size that each block counts beside its text, so that the number of empty blocks is limited too. */
const charactersPerBlock = 20;

/**
 * Collects the reasoning blocks of an answer in order. A signature closes its block, in whichever delta it arrives; a
 * signature without a block is a block of its own.
 */
export class ReasoningAccumulator {
  readonly #blocks: OpenBlock[] = [];
  readonly #signatures = new Set<string>();
  #sealedLength = 0;

  /** Number of characters in signatures and encrypted blocks, plus a constant for each block. */
  get sealedLength(): number {
    return this.#sealedLength;
  }

  /** Adds a delta and returns its new thinking text. */
  add(delta: CompletionDelta): string {
    const blocks = objectsOf(delta.thinking_blocks);
    if (blocks.length > 0) return blocks.map((block) => this.#addBlock(block)).join('');
    const content = textOf(delta.reasoning_content);
    if (content !== undefined) return this.#addText('reasoning_content', content);
    const reasoning = textOf(delta.reasoning);
    const details = objectsOf(delta.reasoning_details);
    if (details.length > 0) {
      const text = details.map((detail) => this.#addDetail(detail)).join('');
      return text === '' ? (reasoning ?? '') : text;
    }
    return reasoning === undefined ? '' : this.#addText('reasoning', reasoning);
  }

  /** Adds thinking from a part of the content. */
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
      this.#sealedLength += charactersPerBlock;
    }
    return text;
  }

  /**
   * Adds an item of OpenRouter's list and returns its readable text. Items are sent back as they came; pieces of one item
   * have the same type and index.
   */
  #addDetail(piece: Record<string, unknown>): string {
    const last = this.#blocks.at(-1);
    const text = textOf(piece['text']) ?? textOf(piece['summary']) ?? '';
    this.#sealedLength += JSON.stringify(piece).length - text.length;
    const isContinued =
      last?.kind === 'detail' &&
      piece['type'] !== 'reasoning.encrypted' &&
      last.detail['type'] === piece['type'] &&
      last.detail['index'] === piece['index'] &&
      (textOf(last.detail['signature']) === undefined || text === '');
    if (!isContinued) {
      this.#blocks.push({ kind: 'detail', detail: { ...piece } });
      return text;
    }
    for (const [name, value] of Object.entries(piece)) {
      if (value === null || value === undefined) continue;
      const before = last.detail[name];
      const isWritten = (name === 'text' || name === 'summary') && typeof before === 'string';
      last.detail[name] = isWritten && typeof value === 'string' ? `${before}${value}` : value;
    }
    return text;
  }

  #addBlock(block: Record<string, unknown>): string {
    const data = textOf(block['data']);
    this.#sealedLength += charactersPerBlock + (data?.length ?? 0) + (textOf(block['signature'])?.length ?? 0);
    if (data !== undefined) {
      this.#blocks.push({ kind: 'redacted', data });
      return '';
    }
    const text = textOf(block['thinking']) ?? '';
    const signature = textOf(block['signature']);
    if (signature !== undefined) {
      // The complete block is repeated at the end.
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
    // Some proxies repeat the whole text of the block with its signature.
    if (signature !== undefined && open.text !== '' && text.startsWith(open.text)) {
      const added = text.slice(open.text.length);
      open.text = text;
      open.signature = signature;
      return added;
    }
    open.text += text;
    if (signature !== undefined) open.signature = signature;
    return text;
  }
}
