import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Tooltip } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { applyTheme, storedTheme } from './layout/theme.ts';
import { router } from './router.tsx';
import { ToastProvider } from './ui/toasts.tsx';
import './styles.css';

applyTheme(storedTheme());

/** What the server refused stays refused; only an unreachable or busy one is asked again. */
const retry = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502);

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry, staleTime: 2000 }, mutations: { retry: false } },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delayDuration={400}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </Tooltip.Provider>
    </QueryClientProvider>
  </StrictMode>,
);
