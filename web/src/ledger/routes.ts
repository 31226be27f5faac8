import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../app/root-route.ts'
import { searchParams, text } from '../app/search-params.ts'

export const ledgerRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/ledger',
  validateSearch: searchParams({ key: text, entry: text, sort: text }),
  component: lazyRouteComponent(() => import('./ledger-screen.tsx'), 'LedgerScreen'),
})

export const ledgerRoutes = [ledgerRoute] as const
