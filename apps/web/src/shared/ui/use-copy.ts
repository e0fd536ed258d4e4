import { useToast } from './toasts.tsx';

/** Copies a text and answers whether it did. Where the browser refuses, it says so and what to do `instead`. */
export function useCopy(instead = 'Select the text and copy it by hand.'): (text: string) => Promise<boolean> {
  const toast = useToast();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      toast(`The browser did not let the page copy. ${instead}`, 'bad');
      return false;
    }
  };
}
