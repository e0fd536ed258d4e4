interface TaskChange {
  title?: string;
  description?: string;
  due_at?: string | null;
  is_completed?: boolean;
}

/** One request in a message. `reference` is how the user refers to a task; it can be empty. */
export type TaskRequest =
  | { kind: 'add'; title: string; due?: string; description?: string }
  | { kind: 'list'; status: 'all' | 'open' | 'done'; until?: string; from?: string }
  | { kind: 'when'; reference: string }
  | { kind: 'complete' | 'delete'; reference: string }
  | { kind: 'update'; reference: string; change: TaskChange }
  | { kind: 'unclear'; text: string };
