import { useRef } from 'react'
import { Keys } from '../../ui/keys.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type Shortcut, useBoundShortcuts } from '../../ui/shortcuts.tsx'

interface ShortcutListProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

const goTo = 'Go to '

/**
 * The list of shortcuts on this screen, opened with `?`. The list can be longer than the screen, so it takes the
 * focus.
 */
export function ShortcutList({ isOpen, onClose }: ShortcutListProps) {
  const readShortcuts = useBoundShortcuts()
  const list = useRef<HTMLDivElement>(null)
  const shortcuts = isOpen ? readShortcuts() : []
  const [screens, actions] = [true, false].map((isScreen) =>
    shortcuts.filter(({ label = '' }) => label.startsWith(goTo) === isScreen),
  )
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts" isWide initialFocus={list}>
      <div
        ref={list}
        tabIndex={-1}
        className="grid grid-cols-2 items-start gap-x-10 gap-y-6 rounded-sm outline-none max-sm:grid-cols-1"
      >
        <Shortcuts title="On this screen" shortcuts={actions ?? []} />
        <Shortcuts title="Go to" shortcuts={screens ?? []} />
      </div>
    </Dialog>
  )
}

interface ShortcutsProps {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

function Shortcuts({ title, shortcuts }: ShortcutsProps) {
  const labels = Map.groupBy(shortcuts, ({ label = '' }) =>
    label.startsWith(goTo) ? label.slice(goTo.length) : label,
  )
  return (
    <section aria-label={title}>
      <h3 className="pb-1 text-xs font-medium text-ink-3">{title}</h3>
      <dl className="flex flex-col">
        {[...labels].map(([label, keys]) => (
          <div
            key={label}
            className="flex min-h-8 items-center gap-2 border-b border-line text-sm last:border-0"
          >
            <dt className="flex-1">{label}</dt>
            <dd className="flex gap-2">
              {keys.map(({ keys }) => (
                <Keys key={keys} keys={keys} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
