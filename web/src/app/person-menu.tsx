/** The menu of the signed-in person: appearance, help and signing out. */

import { AtSign, Check, CircleHelp, CircleUser, LogOut } from 'lucide-react'
import { useState } from 'react'
import { basePath } from '../ui/base-path.ts'
import { classNames } from '../ui/class-names.ts'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { useUtc } from '../ui/text/values.tsx'
import { useRead } from './api.ts'
import { type Theme, useDensity, useTheme } from './preferences.ts'
import { useSession } from './session.tsx'

const MentionsDialog = lateDialog(
  async () => (await import('../comments/mentions-dialog.tsx')).MentionsDialog,
)

const themes: readonly (readonly [Theme, string])[] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
]

export function PersonMenu({ isIcons }: { readonly isIcons: boolean }) {
  const [theme, setTheme] = useTheme()
  const [density, setDensity] = useDensity()
  const [isUtc, setUtc] = useUtc()
  const { name, signOut } = useSession()
  const [isOpen, setOpen] = useState(false)
  const newMentions = useRead('comments.mentions', { limit: 20 }, { refreshMs: 60_000 }).data?.newCount ?? 0
  const mark = (isChosen: boolean) => (
    <span className="size-3.5">{isChosen && <Check aria-hidden size={14} />}</span>
  )
  return (
    <>
      <Menu
        side="top"
        align="start"
        trigger={
          <button
            type="button"
            aria-label={`Account and appearance: ${name}${newMentions > 0 ? `, ${newMentions} new mention${newMentions === 1 ? '' : 's'}` : ''}`}
            className={classNames(
              'flex h-8 w-full items-center gap-2 rounded px-2 text-sm text-ink-2 hover:bg-hover hover:text-ink',
              isIcons && 'justify-center',
            )}
          >
            <CircleUser aria-hidden size={16} className="shrink-0" />
            {!isIcons && <span className="min-w-0 flex-1 truncate text-left">{name}</span>}
            {newMentions > 0 && (
              <span aria-hidden className="numbers rounded-full bg-accent px-1.5 text-2xs text-on-accent">
                {newMentions}
              </span>
            )}
          </button>
        }
        items={[
          {
            label: newMentions > 0 ? `Mentions (${newMentions} new)` : 'Mentions',
            icon: <AtSign aria-hidden size={14} />,
            onSelect: () => setOpen(true),
          },
          ...themes.map(([value, label], index) => ({
            label,
            startsGroup: index === 0,
            icon: mark(theme === value),
            onSelect: () => setTheme(value),
          })),
          {
            label: 'Compact rows',
            icon: mark(density === 'compact'),
            startsGroup: true,
            onSelect: () => setDensity(density === 'compact' ? 'comfortable' : 'compact'),
          },
          { label: 'Show times in UTC', icon: mark(isUtc), onSelect: () => setUtc(!isUtc) },
          {
            label: 'Help',
            icon: <CircleHelp aria-hidden size={14} />,
            startsGroup: true,
            // Not a screen of the app: pages of their own.
            onSelect: () => window.location.assign(`${basePath}/help/`),
          },
          {
            label: 'Sign out',
            icon: <LogOut aria-hidden size={14} />,
            onSelect: signOut,
          },
        ]}
      />
      <MentionsDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
