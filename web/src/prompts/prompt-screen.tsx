/** One prompt: the timeline of its versions on the left, and the selected one beside it. */
import type { PromptSummary } from '@plumbline/sdk'
import { FilePlus2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePages, useRead } from '../app/api.ts'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { CommentsButton } from '../comments/comments-button.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { PendingApprovals } from './approvals/pending-approvals.tsx'
import { PromptActions } from './prompt-actions.tsx'
import { StatusBadge } from './prompt-columns.tsx'
import { useRunningRollouts } from './rollouts/use-rollouts.ts'
import { promptRoute } from './routes.ts'
import { usePromptKeys } from './use-prompt-keys.ts'
import type { PublishRequest } from './versions/publish-dialog.tsx'
import { productionTag } from './versions/tag-moves.ts'
import { useVersion } from './versions/use-version.ts'
import { VersionList } from './versions/version-list.tsx'
import { VersionTabs } from './versions/version-tabs.tsx'

const PublishDialog = lazy(async () => ({
  default: (await import('./versions/publish-dialog.tsx')).PublishDialog,
}))

export function PromptScreen() {
  const { slug } = promptRoute.useParams()
  const search = promptRoute.useSearch()
  const navigate = promptRoute.useNavigate()
  const mayChange = useSession().may('editor')
  const described = useRead('prompts.describe', { slug })
  const { pages, openVersion, versions, error: versionError } = useOpenVersion(slug, search.version)
  const rollouts = useRunningRollouts(slug)
  const [publishing, setPublishing] = useState<PublishRequest>()
  const change = (patch: Partial<typeof search>): void =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }) })
  const prompt = described.data?.prompt
  const names = prompt?.availableVersions ?? versions.map(({ version }) => version)
  const write = (): void =>
    void navigate({
      to: '/prompts/$slug/edit',
      params: { slug },
      search: openVersion === undefined ? {} : { from: openVersion.version },
    })
  const publish = (): void => {
    if (openVersion !== undefined) setPublishing({ tag: productionTag, to: openVersion.version })
  }
  usePromptKeys({
    mayChange,
    version: openVersion?.version,
    onStep: (offset) => {
      const next = openVersion && names[names.indexOf(openVersion.version) + offset]
      if (next !== undefined) change({ version: next })
    },
    onView: (view) => change({ view }),
    onWrite: write,
    onPublish: publish,
  })
  const error = described.error ?? pages.error
  const hasNone = pages.data !== undefined && pages.items.length === 0
  return (
    <Screen
      title={prompt?.name ?? slug}
      hasRange={search.view === 'figures' || search.view === 'served'}
      heading={<Heading slug={slug} prompt={prompt} />}
      actions={
        <>
          <CommentsButton subjectType="prompt" subjectId={slug} />
          {mayChange && (
            <PromptActions
              {...{ slug, prompt }}
              version={openVersion?.version}
              onPublish={publish}
              onWrite={write}
            />
          )}
        </>
      }
    >
      {error !== null && (prompt === undefined || pages.data === undefined) ? (
        <ErrorState error={error} onRetry={() => void Promise.all([described.refetch(), pages.refetch()])} />
      ) : pages.data === undefined ? (
        <SkeletonRows />
      ) : hasNone ? (
        <NoVersion description={prompt?.description} onWrite={mayChange ? write : undefined} />
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
              versions={pages.items}
              rollouts={rollouts}
              openVersion={openVersion?.version}
              onChoose={(version) => change({ version })}
              onMoveTag={mayChange ? (tag, version) => setPublishing({ tag, to: version }) : undefined}
              onEnd={pages.loadMore}
              hasMore={pages.hasNextPage}
            />
          </nav>
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <PendingApprovals slug={slug} onReview={(version) => change({ version, view: 'changes' })} />
            {openVersion !== undefined ? (
              <VersionTabs {...{ slug, versions, names, openVersion, mayChange }} onChange={change} />
            ) : versionError !== null ? (
              <ErrorState error={versionError} />
            ) : (
              <SkeletonRows />
            )}
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

/** The loaded versions, and the open one: the newest, if the URL names none. */
function useOpenVersion(slug: string, name: string | undefined) {
  const pages = usePages('versions.list', { slug }, 'versions')
  const loadedVersions = pages.items
  const read = useVersion(slug, pages.data && name, loadedVersions)
  const openVersion = name === undefined ? loadedVersions[0] : read.version
  // It may be older than the loaded pages.
  const isListed = openVersion === undefined || loadedVersions.includes(openVersion)
  return {
    pages,
    openVersion,
    versions: isListed ? loadedVersions : [...loadedVersions, openVersion],
    error: read.error,
  }
}

interface HeadingProps {
  readonly slug: string
  readonly prompt: PromptSummary | undefined
}

function Heading({ slug, prompt }: HeadingProps) {
  const name = prompt?.name ?? slug
  return (
    <Path parents={[{ label: 'Prompts', link: { to: '/prompts' } }]}>
      <span
        dir="auto"
        className="truncate"
        title={`${name}
${slug}`}
      >
        {name}
      </span>
      {prompt !== undefined && (
        <span className="ml-2 shrink-0">
          <StatusBadge {...prompt} />
        </span>
      )}
    </Path>
  )
}

interface NoVersionProps {
  readonly description: string | undefined
  readonly onWrite: (() => void) | undefined
}

const NoVersion = ({ description, onWrite }: NoVersionProps) => (
  <EmptyState
    icon={<FilePlus2 size={20} />}
    title="No version yet"
    action={onWrite && <Button onClick={onWrite}>Write the first version</Button>}
  >
    {description || 'A version is a text with variables, and the model it is written for.'}
  </EmptyState>
)
