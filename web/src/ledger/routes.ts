import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspaceRoute } from '../app/root-route.ts'
import { searchParams, text } from '../app/search-params.ts'

export const ledgerRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/ledger',
  validateSearch: searchParams({ key: text, entry: text, sort: text }),
  component: lazyScreen(() => import('./ledger-screen.tsx'), 'LedgerScreen'),
})

export const ledgerRoutes = [ledgerRoute] as const
