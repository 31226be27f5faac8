/** The dashboards of the workspace: the overview, custom ones, and a way to create one. */
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, LayoutDashboard, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../app/api.ts'
import { useCommands } from '../../app/palette/commands.tsx'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { usePresence } from '../../ui/late.ts'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'

const NewDashboardDialog = lateDialog(
  async () => (await import('./new-dashboard-dialog.tsx')).NewDashboardDialog,
)

export function DashboardMenu() {
  const navigate = useNavigate()
  const mayChange = useSession().may('editor')
  const dashboards = useRead('dashboards.list', {}, { enabled: usePresence() }).data?.dashboards ?? []
  const [isMaking, setMaking] = useState(false)
  const open = (slug: string): void =>
    void navigate({
      to: '/dashboard/$slug',
      params: { slug },
      search: ({ range }) => ({ ...(range && { range }) }),
    })
  useCommands(
    mayChange ? [{ label: 'New dashboard', words: 'create charts', run: () => setMaking(true) }] : [],
  )
  return (
    <>
      <Menu
        trigger={
          <Button icon={<LayoutDashboard aria-hidden size={14} />}>
            Dashboards
            <ChevronDown aria-hidden size={14} />
          </Button>
        }
        items={[
          { label: 'Overview', onSelect: () => void navigate({ to: '/dashboard' }) },
          ...dashboards.map(({ slug, name }, index) => ({
            id: slug,
            label: name,
            startsGroup: index === 0,
            onSelect: () => open(slug),
          })),
          ...(mayChange
            ? [
                {
                  id: 'new',
                  label: 'New dashboard…',
                  icon: <Plus aria-hidden size={14} />,
                  startsGroup: true,
                  onSelect: () => setMaking(true),
                },
              ]
            : []),
        ]}
      />
      <NewDashboardDialog
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        onMade={({ slug }) => {
          setMaking(false)
          open(slug)
        }}
      />
    </>
  )
}
