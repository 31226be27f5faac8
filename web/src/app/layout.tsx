/** The frame behind the sign-in: the rail, the screen, the palette and the global shortcuts. */
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTraceCommands } from '../traces/list/use-trace-commands.ts'
import { IconButton } from '../ui/button.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { useRemembered } from '../ui/storage/remembered.ts'
import { useUtc } from '../ui/text/values.tsx'
import { lastDestinations, mainDestinations } from './navigation.ts'
import { OfflineNote } from './offline-note.tsx'
import { useCommands } from './palette/commands.tsx'
import { useDensity, useTheme } from './preferences.ts'
import { Rail } from './rail.tsx'
import { useSession } from './session.tsx'

const CommandPalette = lazy(async () => ({
  default: (await import('./palette/command-palette.tsx')).CommandPalette,
}))

const NoWorkspace = lazy(async () => ({
  default: (await import('./workspace/no-workspace.tsx')).NoWorkspace,
}))

const ShortcutList = lazy(async () => ({
  default: (await import('./palette/shortcut-list.tsx')).ShortcutList,
}))

const destinations = [...mainDestinations, ...lastDestinations]

export function Layout() {
  const [open, setOpen] = useState<'palette' | 'keys' | 'rail'>()
  const [rail, setRail] = useRemembered('rail', 'open')
  const toggleRail = (): void => setRail(rail === 'open' ? 'icons' : 'open')
  const close = (): void => setOpen(undefined)
  useGeneralCommands(toggleRail)
  useTraceCommands(open === 'palette')
  const navigate = useNavigate()
  const { session } = useSession()
  // Assumes a workspace until the session has loaded.
  const hasWorkspace = session === undefined || session.workspace !== undefined
  useShortcuts([
    { keys: 'mod+k', label: 'Command palette', onPress: () => setOpen('palette') },
    { keys: '?', label: 'Show keyboard shortcuts', onPress: () => setOpen('keys') },
    { keys: '[', label: 'Collapse or expand the sidebar', onPress: toggleRail },
    ...destinations.map(({ to, label, keys }) => ({
      keys,
      label: `Go to ${label}`,
      onPress: () => void navigate({ to }),
    })),
  ])
  return (
    <div className="flex h-full">
      <a
        href="#content"
        className="sr-only floating z-50 p-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Rail
        isNarrow={rail !== 'open'}
        isOpen={open === 'rail'}
        onClose={close}
        onToggle={toggleRail}
        onSearch={() => setOpen('palette')}
      />
      <div className="fixed top-3 left-3 z-10 md:hidden">
        <IconButton label="Open the menu" onClick={() => setOpen('rail')}>
          <MenuIcon aria-hidden size={18} />
        </IconButton>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <OfflineNote />
        <div className="min-h-0 flex-1">
          {hasWorkspace ? (
            <Outlet />
          ) : (
            <Suspense>
              <NoWorkspace />
            </Suspense>
          )}
        </div>
      </div>
      <Suspense>
        {open === 'palette' && <CommandPalette isOpen onClose={close} />}
        {open === 'keys' && <ShortcutList isOpen onClose={close} />}
      </Suspense>
    </div>
  )
}

function useGeneralCommands(toggleRail: () => void): void {
  const navigate = useNavigate()
  const [, setTheme] = useTheme()
  const [density, setDensity] = useDensity()
  const [isUtc, setUtc] = useUtc()
  useCommands([
    ...destinations.map(({ to, label, keys }) => ({
      group: 'Go to',
      label,
      keys,
      run: () => void navigate({ to }),
    })),
    { group: 'Appearance', label: 'Light theme', words: 'bright mode', run: () => setTheme('light') },
    { group: 'Appearance', label: 'Dark theme', words: 'night mode', run: () => setTheme('dark') },
    { group: 'Appearance', label: 'System theme', words: 'auto mode', run: () => setTheme('system') },
    {
      group: 'Appearance',
      label: density === 'compact' ? 'Comfortable rows' : 'Compact rows',
      words: 'density height',
      run: () => setDensity(density === 'compact' ? 'comfortable' : 'compact'),
    },
    {
      group: 'Appearance',
      label: isUtc ? 'Show times in local time' : 'Show times in UTC',
      words: 'zone clock',
      run: () => setUtc(!isUtc),
    },
    {
      group: 'Appearance',
      label: 'Collapse or expand the sidebar',
      words: 'sidebar collapse',
      keys: '[',
      run: toggleRail,
    },
  ])
}
