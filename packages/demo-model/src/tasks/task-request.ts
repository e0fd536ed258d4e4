export interface TaskChange {
  title?: string;
  description?: string;
  due_at?: string | null;
  is_completed?: boolean;
}

/** One thing that a message asks for. A `reference` is how the person calls a task, empty where they do not say. */
export type TaskRequest =
  | { kind: 'add'; title: string; due?: string; description?: string }
  | { kind: 'list'; status: 'all' | 'open' | 'done'; until?: string; from?: string }
  | { kind: 'when'; reference: string }
  | { kind: 'complete' | 'delete'; reference: string }
  | { kind: 'update'; reference: string; change: TaskChange }
  | { kind: 'unclear'; text: string };
