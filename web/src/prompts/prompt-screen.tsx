/** One prompt: the timeline of its versions at the left, and what one wants to know of the chosen one. */
import { Link } from '@tanstack/react-router'
import { FilePlus2, FlaskConical, Plus, Rocket, Scale } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePages, useRead } from '../app/api.ts'
import { useCommands } from '../app/commands.tsx'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { StatusBadge } from './prompt-columns.tsx'
import { PromptMenu } from './prompt-menu.tsx'
import type { PublishRequest } from './publish-dialog.tsx'
import { promptRoute, type View, views } from './routes.ts'
import { productionTag } from './tag-moves.ts'
import { useRunningRollouts } from './use-rollouts.ts'
import { VersionList } from './version-list.tsx'
import { VersionView } from './version-view.tsx'

// The views that are not seen at first are chunks of their own.
const PublishDialog = lazy(async () => ({ default: (await import('./publish-dialog.tsx')).PublishDialog }))
const TagHistory = lazy(async () => ({ default: (await import('./tag-history.tsx')).TagHistory }))
const RolloutView = lazy(async () => ({ default: (await import('./rollout-view.tsx')).RolloutView }))
const ServedView = lazy(async () => ({ default: (await import('./served-view.tsx')).ServedView }))
const TryPanel = lazy(async () => ({ default: (await import('./try-panel.tsx')).TryPanel }))
const VersionChanges = lazy(async () => ({ default: (await import('./version-changes.tsx')).VersionChanges }))
const VersionFiguresView = lazy(async () => ({
  default: (await import('./version-figures.tsx')).VersionFiguresView,
}))

const labels: Readonly<Record<View, string>> = {
  text: 'Text',
  changes: 'Changes',
  try: 'Try',
  figures: 'Usage',
  tags: 'Tags',
  rollout: 'Rollout',
  served: 'Applications',
}

export function PromptScreen() {
  const { slug } = promptRoute.useParams()
  const search = promptRoute.useSearch()
  const navigate = promptRoute.useNavigate()
  const { may } = useSession()
  const mayChange = may('editor')
  const described = useRead('prompts.describe', { slug })
  const pages = usePages('versions.list', { slug }, 'versions')
  const rollouts = useRunningRollouts(slug)
  const [publishing, setPublishing] = useState<PublishRequest>()
  const change = (changed: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }) })
  const versions = pages.items
  const chosen = versions.find(({ version }) => version === search.version) ?? versions[0]
  const view = search.view ?? 'text'
  const prompt = described.data?.prompt
  const open = (version: string): void => change({ version, view: 'text' })
  const step = (by: 1 | -1): void => {
    const next = chosen && versions[versions.indexOf(chosen) + by]
    if (next !== undefined) change({ version: next.version })
  }
  const write = (): void =>
    void navigate({
      to: '/prompts/$slug/edit',
      params: { slug },
      search: chosen === undefined ? {} : { from: chosen.version },
    })
  const publish = (): void => {
    if (chosen !== undefined) setPublishing({ tag: productionTag, to: chosen.version })
  }
  useShortcuts([
    { keys: 'j', label: 'Older version', onPress: () => step(1) },
    { keys: 'k', label: 'Newer version', onPress: () => step(-1) },
    ...views.map((viewName, index) => ({
      keys: String(index + 1),
      label: labels[viewName],
      onPress: () => change({ view: viewName }),
    })),
    ...(mayChange
      ? [
          { keys: 'e', label: 'New version from this one', onPress: write },
          { keys: 'p', label: 'Publish this version', onPress: publish },
        ]
      : []),
  ])
  useCommands(
    mayChange
      ? [
          { label: 'New version', words: 'edit write', keys: 'e', run: write },
          ...(chosen ? [{ label: `Publish ${chosen.version}`, keys: 'p', run: publish }] : []),
        ]
      : [],
  )
  const error = described.error ?? pages.error
  return (
    <Screen
      title={prompt?.name ?? slug}
      hasRange={view === 'figures' || view === 'served'}
      heading={
        <Path above={[{ label: 'Prompts', link: { to: '/prompts' } }]}>
          <span dir="auto" className="truncate" title={`${prompt?.name ?? slug}\n${slug}`}>
            {prompt?.name ?? slug}
          </span>
          {prompt !== undefined && (
            <span className="ml-2 shrink-0">
              <StatusBadge {...prompt} />
            </span>
          )}
        </Path>
      }
      actions={
        mayChange && (
          <>
            {chosen !== undefined && (
              <>
                <Link
                  to="/playground"
                  search={{ prompt: slug, version: chosen.version }}
                  className={buttonClass()}
                >
                  <FlaskConical aria-hidden size={14} />
                  <span className="max-lg:sr-only">Playground</span>
                </Link>
                <Link
                  to="/experiments/run"
                  search={{ prompt: slug, version: chosen.version }}
                  className={buttonClass()}
                >
                  <Scale aria-hidden size={14} />
                  <span className="max-lg:sr-only">Run experiment</span>
                </Link>
                <Button icon={<Rocket aria-hidden size={14} />} onClick={publish}>
                  Publish…
                </Button>
              </>
            )}
            <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={write}>
              New version
            </Button>
            {prompt !== undefined && <PromptMenu prompt={prompt} />}
          </>
        )
      }
    >
      {error !== null && (prompt === undefined || chosen === undefined) ? (
        <ErrorState error={error} onRetry={() => void Promise.all([described.refetch(), pages.refetch()])} />
      ) : pages.data === undefined ? (
        <SkeletonRows />
      ) : chosen === undefined ? (
        <EmptyState
          icon={<FilePlus2 size={20} />}
          title="No version yet"
          action={mayChange && <Button onClick={write}>Write the first version</Button>}
        >
          {prompt?.description || 'A version is a text with variables, and the model it is written for.'}
        </EmptyState>
      ) : (
        <div className="flex min-h-0 flex-1 max-md:flex-col">
          <nav
            aria-label="Versions"
            className="w-68 shrink-0 overflow-y-auto border-line max-md:max-h-52 max-md:w-full max-md:border-b md:border-r"
          >
            {prompt !== undefined && prompt.description !== '' && (
              <p dir="auto" className="border-b border-line px-4 py-2 text-xs break-words text-ink-2">
                {prompt.description}
              </p>
            )}
            <VersionList
              versions={versions}
              rollouts={rollouts}
              chosen={chosen.version}
              onChoose={(version) => change({ version })}
              onMoveTag={mayChange ? (tag, to) => setPublishing({ tag, to }) : undefined}
              onEnd={pages.loadMore}
              hasMore={pages.hasNextPage}
            />
          </nav>
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <Tabs
              label="Version views"
              value={view}
              onChange={(next) => change({ view: next })}
              tabs={views.map((value) => ({ value, label: labels[value] }))}
            >
              <div className="h-full overflow-y-auto">
                <Suspense fallback={<SkeletonRows count={4} />}>
                  {view === 'text' && <VersionView version={chosen} />}
                  {view === 'changes' && (
                    <VersionChanges
                      version={chosen}
                      versions={versions}
                      against={search.against}
                      onChoose={(against) => change({ against })}
                    />
                  )}
                  {view === 'try' && (
                    <div className="p-4">
                      <TryPanel slug={slug} texts={chosen} />
                    </div>
                  )}
                  {view === 'figures' && (
                    <VersionFiguresView
                      slug={slug}
                      versions={versions}
                      sort={search.sort}
                      onSort={(sort) => change({ sort })}
                      onOpen={open}
                    />
                  )}
                  {view === 'tags' && (
                    <TagHistory slug={slug} versions={versions} mayChange={mayChange} onOpen={open} />
                  )}
                  {view === 'rollout' && (
                    <RolloutView
                      slug={slug}
                      versions={versions}
                      chosen={chosen.version}
                      mayChange={mayChange}
                      onOpen={open}
                    />
                  )}
                  {view === 'served' && <ServedView slug={slug} onOpen={open} />}
                </Suspense>
              </div>
            </Tabs>
          </div>
        </div>
      )}
      <Suspense>
        <PublishDialog
          slug={slug}
          versions={versions}
          request={publishing}
          onClose={() => setPublishing(undefined)}
        />
      </Suspense>
    </Screen>
  )
}
