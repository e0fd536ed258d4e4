import { useToast } from './toasts.tsx';

/** Returns a function that copies a text and resolves to whether it worked; on failure a toast says what to do. */
export function useCopy(fallbackHint = 'Select the text and copy it by hand.'): (text: string) => Promise<boolean> {
  const toast = useToast();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      toast(`The browser blocked copying. ${fallbackHint}`, 'bad');
      return false;
    }
  };
}
