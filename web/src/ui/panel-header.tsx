import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

interface PanelHeaderProps {
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly onClose: () => void
}

/** The header of a side panel: its title, its actions, and the close button. */
export function PanelHeader({ title, actions, onClose }: PanelHeaderProps) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-4">
      <h2 className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</h2>
      {actions}
      <IconButton label="Close" keys="escape" onClick={onClose}>
        <X aria-hidden size={16} />
      </IconButton>
    </header>
  )
}
