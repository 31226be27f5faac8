import { CSPProvider } from '@base-ui/react/csp-provider'
import type { Operations } from '@plumbline/sdk'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ToastProvider } from '../ui/overlay/toast.tsx'
import { TooltipProvider } from '../ui/overlay/tooltip.tsx'
import { ShortcutsProvider } from '../ui/shortcuts.tsx'
import { ClockProvider } from '../ui/text/values.tsx'
import { ClientProvider } from './api.ts'
import { CommandsProvider } from './palette/commands.tsx'
import { useApplyPreferences } from './preferences.ts'
import type { Router } from './router.ts'

interface AppProps {
  readonly client: Operations
  readonly queries: QueryClient
  readonly router: Router
}

/** The providers around the router, for every screen. */
export function App({ client, queries, router }: AppProps) {
  useApplyPreferences()
  return (
    // The content security policy forbids inline style elements, but not style attributes set by scripts.
    <CSPProvider disableStyleElements>
      <ClientProvider value={client}>
        <QueryClientProvider client={queries}>
          <ClockProvider>
            <TooltipProvider>
              <ToastProvider>
                <ShortcutsProvider>
                  <CommandsProvider>
                    <RouterProvider router={router} />
                  </CommandsProvider>
                </ShortcutsProvider>
              </ToastProvider>
            </TooltipProvider>
          </ClockProvider>
        </QueryClientProvider>
      </ClientProvider>
    </CSPProvider>
  )
}
