/** The left rail: the screens and the user menu. A narrow rail shows icons only; on small screens it slides in. */
import { Link } from '@tanstack/react-router'
import { PanelLeft, Search } from 'lucide-react'
import { useEffect } from 'react'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Keys } from '../ui/keys.tsx'
import { Tooltip } from '../ui/overlay/tooltip.tsx'
import { lastDestinations, mainDestinations } from './navigation.ts'
import { PersonMenu } from './person-menu.tsx'
import { WorkspaceMenu } from './workspace/workspace-menu.tsx'

interface RailProps {
  readonly isNarrow: boolean
  /** On a small screen: whether the rail is open. */
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onToggle: () => void
  readonly onSearch: () => void
}

export function Rail({ isNarrow, isOpen, onClose, onToggle, onSearch }: RailProps) {
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen, onClose])
  const isIcons = isNarrow && !isOpen
  return (
    <>
      {isOpen && (
        <button
          type="button"
          aria-label="Close the menu"
          onClick={onClose}
          className="fixed inset-0 z-20 bg-scrim md:hidden"
        />
      )}
      <nav
        aria-label="Main"
        className={classNames(
          'flex shrink-0 flex-col border-r border-line bg-sunken',
          'max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:z-20 max-md:w-(--rail)',
          !isOpen && 'max-md:hidden',
          isIcons ? 'md:w-14' : 'md:w-(--rail)',
        )}
      >
        <div className={classNames('flex h-14 items-center gap-2 px-3', isIcons && 'justify-center')}>
          <WorkspaceMenu isIcons={isIcons} />
          {!isIcons && (
            <span className="max-md:hidden">
              <IconButton label="Collapse the sidebar" keys="[" size="small" onClick={onToggle}>
                <PanelLeft aria-hidden size={16} />
              </IconButton>
            </span>
          )}
        </div>
        <div className="px-2 pb-2">
          {isIcons ? (
            <IconButton label="Search and commands" keys="mod+k" onClick={onSearch} className="w-full!">
              <Search aria-hidden size={16} />
            </IconButton>
          ) : (
            <button
              type="button"
              onClick={onSearch}
              className="flex h-8 w-full items-center gap-2 rounded border border-line-strong bg-surface px-2 text-sm text-ink-3 hover:bg-hover"
            >
              <Search aria-hidden size={14} />
              <span className="flex-1 text-left">Search</span>
              <Keys keys="mod+k" />
            </button>
          )}
        </div>
        <Destinations list={mainDestinations} isIcons={isIcons} onGo={onClose} />
        <div className="flex-1" />
        <Destinations list={lastDestinations} isIcons={isIcons} onGo={onClose} />
        <div className="border-t border-line p-2">
          {isIcons && (
            <IconButton label="Expand the sidebar" keys="[" onClick={onToggle} className="mb-1 w-full!">
              <PanelLeft aria-hidden size={16} />
            </IconButton>
          )}
          <PersonMenu isIcons={isIcons} />
        </div>
      </nav>
    </>
  )
}

interface DestinationsProps {
  readonly list: typeof mainDestinations
  readonly isIcons: boolean
  readonly onGo: () => void
}

function Destinations({ list, isIcons, onGo }: DestinationsProps) {
  return (
    <ul className="flex flex-col gap-0.5 px-2 pb-2">
      {list.map(({ to, label, icon: Icon, keys, Note }) => {
        const link = (
          <Link
            to={to}
            onClick={onGo}
            activeOptions={{ includeSearch: false }}
            className={classNames(
              'relative flex h-8 items-center gap-2 rounded px-2 text-sm font-medium text-ink-2 hover:bg-hover hover:text-ink',
              'data-[status=active]:bg-selected data-[status=active]:text-accent-ink',
              isIcons && 'justify-center',
            )}
          >
            <Icon aria-hidden size={16} className="shrink-0" />
            <span className={isIcons ? 'sr-only' : 'flex-1 truncate'}>{label}</span>
            {Note !== undefined && (
              <span className={isIcons ? 'absolute top-0 right-0' : undefined}>
                <Note />
              </span>
            )}
          </Link>
        )
        return (
          <li key={to}>
            {isIcons ? (
              <Tooltip text={label} keys={keys} side="right">
                {link}
              </Tooltip>
            ) : (
              link
            )}
          </li>
        )
      })}
    </ul>
  )
}
