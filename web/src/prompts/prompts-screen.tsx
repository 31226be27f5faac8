/** The prompts that applications fetch, with their status, usage and cost. */
import type { PromptSummary } from '@plumbline/sdk'
import { FileText, Plus } from 'lucide-react'
import { type Ref, useMemo, useRef } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { LabelledCheckbox } from '../ui/form/checkbox.tsx'
import { Input } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useNow, useTimeZone } from '../ui/text/values.tsx'
import { foldersOf, isWithin } from './folders.ts'
import { promptColumns } from './prompt-columns.tsx'
import { usageByPrompt } from './prompt-usage.ts'
import { useRunningRollouts } from './rollouts/use-rollouts.ts'
import { promptsRoute } from './routes.ts'

const NewPromptDialog = lateDialog(async () => (await import('./new-prompt-dialog.tsx')).NewPromptDialog)

const rowId = ({ slug }: PromptSummary): string => slug
const everyFeature = '*'
/** No folder can be a slash. */
const everyFolder = '/'
const hourMs = 3_600_000
/** In a range longer than this, days are fine enough for the usage trend. */
const hourlyMsMax = 8 * 24 * hourMs
/** Within this range, the last use of a prompt is given by the hour. */
const lastUseMs = 7 * 24 * hourMs

export function PromptsScreen() {
  const search = promptsRoute.useSearch()
  const navigate = promptsRoute.useNavigate()
  const { may } = useSession()
  const mayChange = may('editor')
  const change = (patch: Partial<typeof search>): void =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: 'q' in patch })
  const prompts = useRead('prompts.list', search.archived === true ? { archived: true } : {})
  const columns = useUsageColumns()
  const rows = useMemo(
    () => prompts.data?.prompts.filter((prompt) => fits(prompt, search)),
    [prompts.data, search],
  )
  const features = [...new Set(prompts.data?.prompts.flatMap(({ featureSlug }) => featureSlug ?? []))]
  const folders = foldersOf(prompts.data?.prompts.flatMap(({ folder }) => folder ?? []) ?? [])
  const create = (): void => change({ create: true })
  const filter = useRef<HTMLInputElement>(null)
  useShortcuts([
    { keys: '/', label: 'Filter prompts', onPress: () => filter.current?.focus() },
    ...(mayChange ? [{ keys: 'c', label: 'New prompt', onPress: create }] : []),
  ])
  useCommands(mayChange ? [{ label: 'New prompt', words: 'create template', keys: 'c', run: create }] : [])
  const isNarrowed =
    search.q !== undefined ||
    search.feature !== undefined ||
    search.folder !== undefined ||
    search.archived === true
  return (
    <Screen
      title="Prompts"
      hasRange
      actions={
        mayChange && (
          <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={create}>
            New prompt
          </Button>
        )
      }
    >
      <PromptFilters {...{ features, folders }} ref={filter} count={rows?.length} onChange={change} />
      {prompts.isError && rows === undefined ? (
        <ErrorState error={prompts.error} onRetry={() => void prompts.refetch()} />
      ) : (
        <DataTable
          label="Prompts"
          columns={columns}
          rows={rows}
          rowId={rowId}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
          onOpen={({ slug }) => void navigate({ to: '/prompts/$slug', params: { slug } })}
          empty={isNarrowed ? <NoMatches /> : <NoPrompts onCreate={mayChange ? create : undefined} />}
        />
      )}
      <NewPromptDialog
        isOpen={search.create === true && mayChange}
        onClose={() => change({ create: undefined })}
      />
    </Screen>
  )
}

interface PromptFiltersProps {
  readonly ref: Ref<HTMLInputElement>
  readonly features: readonly string[]
  readonly folders: readonly string[]
  /** How many prompts match; undefined until the service has listed them. */
  readonly count: number | undefined
  readonly onChange: (change: ReturnType<typeof promptsRoute.useSearch>) => void
}

function PromptFilters({ ref, features, folders, count, onChange }: PromptFiltersProps) {
  const search = promptsRoute.useSearch()
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line px-4 py-2">
      <Input
        ref={ref}
        aria-label="Filter prompts"
        placeholder="Filter by name, slug or tag"
        className="w-72! max-sm:w-full!"
        value={search.q ?? ''}
        onChange={(event) => onChange({ q: event.currentTarget.value || undefined })}
      />
      {features.length > 0 && (
        <Select
          label="Feature"
          className="w-48"
          value={search.feature ?? everyFeature}
          onChange={(feature) => onChange({ feature: feature === everyFeature ? undefined : feature })}
          choices={[
            { value: everyFeature, label: 'All features' },
            ...features.map((feature) => ({ value: feature, label: feature })),
          ]}
        />
      )}
      {folders.length > 0 && (
        <Select
          label="Folder"
          className="w-48"
          value={search.folder ?? everyFolder}
          onChange={(folder) => onChange({ folder: folder === everyFolder ? undefined : folder })}
          choices={[
            { value: everyFolder, label: 'All folders' },
            ...folders.map((folder) => ({ value: folder, label: folder })),
          ]}
        />
      )}
      <LabelledCheckbox
        label="Archived"
        isChecked={search.archived === true}
        onChange={(isOn) => onChange({ archived: isOn ? true : undefined })}
      />
      {count !== undefined && (
        <span className="ml-auto text-xs text-ink-3" role="status">
          {count} {count === 1 ? 'prompt' : 'prompts'}
        </span>
      )}
    </div>
  )
}

function NoMatches() {
  const { archived, q } = promptsRoute.useSearch()
  return (
    <EmptyState icon={<FileText size={20} />} title="No prompts match">
      {archived === true && q === undefined
        ? 'Archived prompts are hidden from the list but still served. You can restore them here.'
        : 'Remove a filter, or show archived prompts.'}
    </EmptyState>
  )
}

const NoPrompts = ({ onCreate }: { readonly onCreate: (() => void) | undefined }) => (
  <EmptyState
    icon={<FileText size={20} />}
    title="No prompts yet"
    action={
      onCreate && (
        <Button icon={<Plus aria-hidden size={14} />} onClick={onCreate}>
          Create a prompt
        </Button>
      )
    }
  >
    Manage the prompts your application uses: change them without a release, see what each version costs and
    how it scores, and roll back with one click.
  </EmptyState>
)

function useUsageColumns() {
  const { range } = useRange()
  const rollouts = useRunningRollouts()
  const timeZone = useTimeZone()
  const now = useNow()
  const endMs = range.to?.getTime() ?? Math.floor(now.getTime() / hourMs) * hourMs
  const isShort = endMs - range.from.getTime() < hourlyMsMax
  const query = { measures: 'logs,cost', dimensions: 'promptSlug' }
  const usage = useRead('metrics.query', {
    ...query,
    granularity: isShort ? 'hour' : 'day',
    timeZone,
    ...rangeInput(range),
  }).data
  const lastDays = { ...range, from: new Date(endMs - lastUseMs) }
  const latest = useRead(
    'metrics.query',
    { ...query, measures: 'logs', granularity: 'hour', ...rangeInput(lastDays) },
    { enabled: !isShort },
  ).data
  return useMemo(() => {
    const bySlug = usageByPrompt(usage?.rows ?? [], isShort ? [] : latest?.rows)
    return promptColumns((slug) => bySlug.get(slug), rollouts)
  }, [usage, latest, isShort, rollouts])
}

interface Selection {
  readonly q?: string | undefined
  readonly feature?: string | undefined
  readonly folder?: string | undefined
}

function fits(
  { name, slug, availableTags, featureSlug, folder = '' }: PromptSummary,
  { q = '', feature, folder: selectedFolder }: Selection,
): boolean {
  if (feature !== undefined && featureSlug !== feature) return false
  if (selectedFolder !== undefined && !isWithin(folder, selectedFolder)) return false
  const words = q.toLowerCase().split(/\s+/)
  const text = [name, slug, folder, ...availableTags].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}
