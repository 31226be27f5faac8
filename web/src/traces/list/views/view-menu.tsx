/** Saved views: the filter, the columns, the order and the range under a name. */
import type { View } from '@plumbline/sdk'
import { Bookmark, Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useChange, useRead } from '../../../app/api.ts'
import { useSession } from '../../../app/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { lateDialog } from '../../../ui/overlay/late-dialog.tsx'
import { Menu, type MenuItem } from '../../../ui/overlay/menu.tsx'
import { useToasts } from '../../../ui/overlay/toast.tsx'
import { useRemembered } from '../../../ui/storage/remembered.ts'
import { builtInViews, defaultViewName, isViewOf, readView, viewsPage, viewText } from './view-search.ts'

const NameDialog = lateDialog(async () => (await import('../../../ui/overlay/name-dialog.tsx')).NameDialog)

interface ViewMenuProps {
  readonly search: Readonly<Record<string, unknown>>
  readonly onOpen: (search: Readonly<Record<string, unknown>>) => void
}

export function ViewMenu({ search, onOpen }: ViewMenuProps) {
  const views = useRead('views.list', { page: viewsPage }).data?.views ?? []
  const mayChange = useSession().may('editor')
  const toasts = useToasts()
  const [defaultId, setDefaultId] = useRemembered(defaultViewName, '')
  const [naming, setNaming] = useState<'new' | View>()
  const [lastId, setLastId] = useState<string>()
  const text = viewText(search)
  const activeView = views.find((view) => isViewOf(view, text))
  // A view changed since it was opened can be saved again.
  const lastView = activeView === undefined ? views.find(({ id }) => id === lastId) : undefined
  const current = activeView ?? lastView
  const builtIn = builtInViews.find((view) => view.search === text)
  const name = current?.name ?? builtIn?.name
  const refreshes = ['views.list'] as const
  const create = useChange('views.create', { refreshes, onDone: ({ view }) => setLastId(view.id) })
  const update = useChange('views.update', { refreshes })
  const remove = useChange('views.delete', { refreshes })
  const open = (view: View): void => {
    setLastId(view.id)
    onOpen(readView(view.search))
  }
  const drop = ({ id, name, search }: View): void => {
    const undo = (): void => create.mutate({ name, page: viewsPage, search })
    remove.mutate({ id }, { onSuccess: () => toasts.done(`Deleted “${name}”`, { undo }) })
  }
  const items: MenuItem[] = [
    ...views.map((view) => ({
      id: view.id,
      label: view.name,
      icon: <Check aria-hidden size={14} className={view.id === activeView?.id ? undefined : 'invisible'} />,
      onSelect: () => open(view),
    })),
    {
      label: 'All traces',
      icon: <Check aria-hidden size={14} className={text === '{}' ? undefined : 'invisible'} />,
      startsGroup: views.length > 0,
      onSelect: () => onOpen({}),
    },
    ...builtInItems(text, onOpen),
    ...(mayChange ? [{ label: 'Save as view…', startsGroup: true, onSelect: () => setNaming('new') }] : []),
    ...(current === undefined ? [] : ofCurrent(current)),
  ]
  function ofCurrent(view: View): MenuItem[] {
    const isDefault = view.id === defaultId
    const own = {
      label: isDefault ? 'Open with all traces' : 'Open with this view',
      startsGroup: true,
      onSelect: () => setDefaultId(isDefault ? '' : view.id),
    }
    if (!mayChange) return [own]
    return [
      ...(lastView === undefined
        ? []
        : [
            {
              label: `Update “${view.name}”`,
              onSelect: () => update.mutate({ id: view.id, search: text }),
            },
          ]),
      own,
      { label: 'Rename…', onSelect: () => setNaming(view) },
      { label: 'Delete', isDangerous: true, onSelect: () => drop(view) },
    ]
  }
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button
            icon={<Bookmark aria-hidden size={14} className="text-ink-3" />}
            aria-label={name === undefined ? 'Views' : `View: ${name}`}
          >
            <bdi className="max-w-40 truncate">{name ?? 'Views'}</bdi>
            {lastView !== undefined && <span className="text-ink-3">changed</span>}
            <ChevronDown aria-hidden size={14} className="text-ink-3" />
          </Button>
        }
        items={items}
      />
      <NameDialog
        isOpen={naming !== undefined}
        title={naming === 'new' ? 'Save as view' : 'Rename view'}
        description="Saves the filter, columns, order and range for everyone in the workspace."
        placeholder="Slow chat answers"
        action="Save"
        initial={naming === undefined || naming === 'new' ? '' : naming.name}
        onClose={() => setNaming(undefined)}
        save={async (name) => {
          if (naming === 'new') await create.mutateAsync({ name, page: viewsPage, search: text })
          else if (naming !== undefined) await update.mutateAsync({ id: naming.id, name })
        }}
      />
    </>
  )
}

/** The built-in views, with the open one checked. */
const builtInItems = (text: string, onOpen: ViewMenuProps['onOpen']): readonly MenuItem[] =>
  builtInViews.map((view) => ({
    label: view.name,
    icon: <Check aria-hidden size={14} className={view.search === text ? undefined : 'invisible'} />,
    onSelect: () => onOpen(readView(view.search)),
  }))
