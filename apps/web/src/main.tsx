import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Tooltip } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './shared/api/query-client.ts';
import { applyTheme, storedTheme } from './shared/page/theme.ts';
import { router } from './router.tsx';
import { requestFirst } from './routes/first-requests.ts';
import { ToastProvider } from './shared/ui/toasts.tsx';
import './styles.css';

applyTheme(storedTheme());

const queryClient = createQueryClient();
void requestFirst(queryClient, window.location);

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
