/** The workspace name at the top of the rail, and the menu to switch workspaces. */

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { basePath } from '../../ui/base-path.ts'
import { classNames } from '../../ui/class-names.ts'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useLeaveScreen } from '../leaving.ts'
import { useCommands } from '../palette/commands.tsx'
import { forgetAnswers, useSession } from '../session.tsx'
import { chooseWorkspace } from './workspace-choice.ts'

const NewWorkspaceDialog = lazy(async () => ({
  default: (await import('./new-workspace-dialog.tsx')).NewWorkspaceDialog,
}))

/** Switches to the first screen of another workspace, since a URL names resources of one workspace only. */
function useGoToWorkspace(): (id: string) => void {
  const queries = useQueryClient()
  const router = useRouter()
  const leaveScreen = useLeaveScreen()
  return (id) =>
    leaveScreen(() => {
      chooseWorkspace(id)
      forgetAnswers(queries)
      void router.navigate({ to: '/', search: {}, replace: true }).then(() => router.invalidate())
    })
}

export function WorkspaceMenu({ isIcons }: { readonly isIcons: boolean }) {
  const { session, workspaceName } = useSession()
  const [isMaking, setMaking] = useState(false)
  const goTo = useGoToWorkspace()
  const mayCreate = session?.mayCreateWorkspaces === true
  const others = session?.workspaces ?? []
  useCommands([
    ...others
      .filter(({ id }) => id !== session?.workspace?.id)
      .map(({ id, name }) => ({
        group: 'Workspaces',
        label: `Go to ${name}`,
        words: id,
        run: () => goTo(id),
      })),
    ...(mayCreate
      ? [{ group: 'Workspaces', label: 'New workspace', words: 'create tenant', run: () => setMaking(true) }]
      : []),
  ])
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={`Workspace: ${workspaceName}`}
            className={classNames(
              'flex h-9 min-w-0 items-center gap-2 rounded hover:bg-hover',
              isIcons ? 'justify-center p-1.5' : '-ml-1.5 flex-1 px-1.5',
            )}
          >
            <img src={`${basePath}/app/plumbline.svg`} alt="" width={24} height={24} />
            {!isIcons && (
              <>
                <span className="min-w-0 flex-1 truncate text-left font-semibold" title={workspaceName}>
                  {workspaceName}
                </span>
                <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-ink-3" />
              </>
            )}
          </button>
        }
        items={[
          ...others.map(({ id, name }) => ({
            id,
            label: name,
            icon: (
              <span className="size-3.5 shrink-0">
                {id === session?.workspace?.id && <Check aria-hidden size={14} />}
              </span>
            ),
            onSelect: () => id !== session?.workspace?.id && goTo(id),
          })),
          ...(mayCreate
            ? [
                {
                  label: 'New workspace…',
                  icon: <Plus aria-hidden size={14} />,
                  startsGroup: true,
                  onSelect: () => setMaking(true),
                },
              ]
            : []),
        ]}
      />
      <Suspense>
        {isMaking && <NewWorkspaceDialog isOpen onClose={() => setMaking(false)} onMade={goTo} />}
      </Suspense>
    </>
  )
}
