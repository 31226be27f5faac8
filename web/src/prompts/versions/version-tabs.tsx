/** The views of one version, as tabs. Views not shown at first are separate chunks. */
import type { PromptVersion } from '@plumbline/sdk'
import { lazy, Suspense } from 'react'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { promptRoute, type View, views } from '../routes.ts'
import { VersionView } from './version-view.tsx'

const TagHistory = lazy(async () => ({ default: (await import('./tag-history.tsx')).TagHistory }))
const RolloutView = lazy(async () => ({
  default: (await import('../rollouts/rollout-view.tsx')).RolloutView,
}))
const ServedView = lazy(async () => ({ default: (await import('./served-view.tsx')).ServedView }))
const TryPanel = lazy(async () => ({ default: (await import('../edit/try-panel.tsx')).TryPanel }))
const VersionChanges = lazy(async () => ({ default: (await import('./version-changes.tsx')).VersionChanges }))
const VersionFiguresView = lazy(async () => ({
  default: (await import('./version-figures.tsx')).VersionFiguresView,
}))

export const viewLabels: Readonly<Record<View, string>> = {
  text: 'Text',
  changes: 'Changes',
  try: 'Try',
  figures: 'Usage',
  tags: 'Tags',
  rollout: 'Rollout',
  served: 'Applications',
}

interface VersionTabsProps {
  readonly slug: string
  /** The loaded versions, and the open one. */
  readonly versions: readonly PromptVersion[]
  /** The names of all of them, newest first. */
  readonly names: readonly string[]
  readonly openVersion: PromptVersion
  readonly mayChange: boolean
  readonly onChange: (change: ReturnType<typeof promptRoute.useSearch>) => void
}

export function VersionTabs(props: VersionTabsProps) {
  const { onChange } = props
  const { view = 'text' } = promptRoute.useSearch()
  return (
    <Tabs
      label="Version views"
      value={view}
      onChange={(next) => onChange({ view: next })}
      tabs={views.map((value) => ({ value, label: viewLabels[value] }))}
    >
      <div className="h-full overflow-y-auto">
        <Suspense fallback={<SkeletonRows count={4} />}>
          <VersionTab {...props} view={view} />
        </Suspense>
      </div>
    </Tabs>
  )
}

function VersionTab(props: VersionTabsProps & { readonly view: View }) {
  const { slug, versions, names, openVersion, mayChange, onChange, view } = props
  const { against, sort } = promptRoute.useSearch()
  const open = (version: string): void => onChange({ version, view: 'text' })
  switch (view) {
    case 'text':
      return <VersionView version={openVersion} />
    case 'changes':
      return (
        <VersionChanges
          slug={slug}
          version={openVersion}
          versions={versions}
          names={names}
          comparedVersion={against}
          onChoose={(next) => onChange({ against: next })}
        />
      )
    case 'try':
      return (
        <div className="p-4">
          <TryPanel slug={slug} texts={openVersion} />
        </div>
      )
    case 'figures':
      return (
        <VersionFiguresView
          slug={slug}
          versions={versions}
          sort={sort}
          onSort={(next) => onChange({ sort: next })}
          onOpen={open}
        />
      )
    case 'tags':
      return <TagHistory slug={slug} mayChange={mayChange} onOpen={open} />
    case 'rollout':
      return (
        <RolloutView
          slug={slug}
          versions={versions}
          openVersion={openVersion.version}
          mayChange={mayChange}
          onOpen={open}
        />
      )
    case 'served':
      return <ServedView slug={slug} onOpen={open} />
  }
}
