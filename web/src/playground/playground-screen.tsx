/** Runs a prompt, a draft or a recorded call on models side by side, and saves the best as a new version. */
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { refresh, useRead } from '../app/api.ts'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Bench } from './bench.tsx'
import { playgroundRoute } from './routes.ts'
import { useOrigin } from './use-origin.ts'

/** The origin of the draft. */
const reads = ['connections.list', 'versions.list', 'versions.get', 'logs.get', 'traces.get'] as const

export function PlaygroundScreen() {
  const search = playgroundRoute.useSearch()
  const { may } = useSession()
  const queries = useQueryClient()
  const connections = useRead('connections.list', {})
  const origin = useOrigin(search)
  const list = connections.data?.connections
  const error = origin.error ?? (list === undefined ? connections.error : null)
  if (may('editor') && list !== undefined && list.length > 0 && origin.draft !== undefined)
    return <Bench key={origin.key} origin={origin} initial={origin.draft} connections={list} />
  return (
    <Screen title="Playground">
      {!may('editor') ? (
        <EmptyState icon={<FlaskConical size={20} />} title="Only editors can run prompts">
          The provider bills each run. Ask an admin for the editor role.
        </EmptyState>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refresh(queries, reads)} />
      ) : list?.length === 0 ? (
        <EmptyState
          icon={<FlaskConical size={20} />}
          title="No LLM connection yet"
          action={
            may('admin') && (
              <Link to="/settings/connections" className={buttonClass('primary')}>
                Add a connection
              </Link>
            )
          }
        >
          {may('admin')
            ? 'Add the API key of a model provider to run prompts, drafts and recorded calls side by side.'
            : 'Ask an admin to add one in the settings.'}
        </EmptyState>
      ) : (
        <Skeleton className="m-4 h-64" />
      )}
    </Screen>
  )
}
