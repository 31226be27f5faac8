import { Keys } from '../../ui/keys.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useBoundShortcuts } from '../../ui/shortcuts.tsx'

interface ShortcutListProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** `?`: the keys that do something on this screen. The list can be longer than the screen, so it takes the focus. */
export function ShortcutList({ isOpen, onClose }: ShortcutListProps) {
  const bound = useBoundShortcuts()
  const labels = Map.groupBy(isOpen ? bound() : [], ({ label }) => label ?? '')
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <dl tabIndex={0} className="flex flex-col rounded-sm">
        {[...labels].map(([label, shortcuts]) => (
          <div
            key={label}
            className="flex min-h-8 items-center gap-2 border-b border-line text-sm last:border-0"
          >
            <dt className="flex-1">{label}</dt>
            <dd className="flex gap-2">
              {shortcuts.map(({ keys }) => (
                <Keys key={keys} keys={keys} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
