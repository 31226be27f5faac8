/** The actions on a dashboard, and on one of its charts. */
import type { Dashboard } from '@plumbline/sdk'
import { ArrowDown, ArrowUp, Copy, Download, Ellipsis, Link2, Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'

interface DashboardActionsProps {
  readonly dashboard: Dashboard
  readonly mayChange: boolean
  readonly onExport: () => void
  readonly onDelete: () => void
}

export function DashboardActions({ dashboard, mayChange, onExport, onDelete }: DashboardActionsProps) {
  const toasts = useToasts()
  const copy = async (): Promise<void> => {
    try {
      await copyText(location.href)
      toasts.done('Link copied. Workspace members see the same dashboard')
    } catch (error) {
      toasts.fail(error)
    }
  }
  return (
    <Menu
      trigger={
        <IconButton label={`More for ${dashboard.name}`}>
          <Ellipsis aria-hidden size={16} />
        </IconButton>
      }
      items={[
        { label: 'Copy link', icon: <Link2 aria-hidden size={14} />, onSelect: () => void copy() },
        { label: 'Download JSON', icon: <Download aria-hidden size={14} />, onSelect: onExport },
        ...(mayChange
          ? [
              {
                label: 'Delete…',
                icon: <Trash2 aria-hidden size={14} />,
                isDangerous: true,
                startsGroup: true,
                onSelect: onDelete,
              },
            ]
          : []),
      ]}
    />
  )
}

interface ChartActionsProps {
  readonly title: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onEdit: () => void
  readonly onMove: (step: -1 | 1) => void
  readonly onCopy: () => void
  readonly onRemove: () => void
}

export function ChartActions(props: ChartActionsProps) {
  const { title, isFirst, isLast, onEdit, onMove, onCopy, onRemove } = props
  return (
    <Menu
      trigger={
        <IconButton size="small" label={`More for ${title}`}>
          <Ellipsis aria-hidden size={14} />
        </IconButton>
      }
      items={[
        { label: 'Change…', icon: <Pencil aria-hidden size={14} />, onSelect: onEdit },
        {
          label: 'Move before',
          icon: <ArrowUp aria-hidden size={14} />,
          disabled: isFirst,
          onSelect: () => onMove(-1),
        },
        {
          label: 'Move after',
          icon: <ArrowDown aria-hidden size={14} />,
          disabled: isLast,
          onSelect: () => onMove(1),
        },
        { label: 'Duplicate', icon: <Copy aria-hidden size={14} />, onSelect: onCopy },
        {
          label: 'Remove',
          icon: <Trash2 aria-hidden size={14} />,
          isDangerous: true,
          startsGroup: true,
          onSelect: onRemove,
        },
      ]}
    />
  )
}
