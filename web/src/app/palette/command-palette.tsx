/** ⌘K: finds every action and every screen by typing. */
import { Dialog } from '@base-ui/react/dialog'
import { uuidOfAnyCasePattern } from '@plumbline/sdk/trace-fields'
import { useNavigate } from '@tanstack/react-router'
import { Command as Palette } from 'cmdk'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Keys } from '../../ui/keys.tsx'
import { type Command, useOfferedCommands } from './commands.tsx'
import { rankCommand } from './rank-command.ts'
import { useFoundThings } from './search-results.ts'

const groupClass =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3'
const itemClass = 'flex h-8 items-center gap-2 rounded-sm px-2 text-sm data-[selected=true]:bg-hover'

interface CommandPaletteProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CommandPalette({ isOpen, onClose }: CommandPaletteProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label="Command palette"
          className="floating fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 overflow-hidden outline-none"
        >
          <PaletteContent onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The part that makes a command's value unique follows its label. */
const valueEnd = '\n'

const rank = (value: string, search: string, keywords?: string[]): number =>
  rankCommand(value.split(valueEnd, 1)[0] ?? '', search, keywords)

const lastGroup = 'Workspaces'

/** Commands of this screen come first and rare ones last, because Enter runs the first. */
const inOrder = (commands: readonly Command[]): readonly Command[] =>
  commands.toSorted((a, b) => placeOf(a) - placeOf(b))

function placeOf({ group }: Command): number {
  if (group === undefined) return 0
  return group === lastGroup ? 2 : 1
}

function PaletteContent({ onClose }: { readonly onClose: () => void }) {
  const [query, setTyped] = useState('')
  const searchResults = useFoundThings()
  const screenCommands = useOfferedCommands()()
  // Workspace contents appear only in search results: listing them all would hide the commands.
  const commands = query.trim() === '' ? screenCommands : [...screenCommands, ...searchResults]
  const groups = Map.groupBy(inOrder(commands), ({ group }) => group ?? 'This screen')
  const navigate = useNavigate()
  const searchTraces = (): void => {
    onClose()
    void navigate({ to: '/traces', search: { q: query.trim() } })
  }
  const openTrace = (): void => {
    onClose()
    void navigate({ to: '/traces/$id', params: { id: query.trim() } })
  }
  const run = (command: Command): void => {
    onClose()
    command.run()
  }
  return (
    <Palette label="Command palette" loop filter={rank}>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search aria-hidden size={16} className="text-ink-3" />
        <Palette.Input
          value={query}
          onValueChange={setTyped}
          placeholder="Search or run a command"
          className="h-11 flex-1 bg-transparent text-base outline-none"
          autoFocus
        />
      </div>
      <Palette.List className="max-h-[50vh] overflow-y-auto p-1">
        <Palette.Empty className="p-6 text-center text-sm text-ink-3">No results.</Palette.Empty>
        {[...groups].map(([group, commands]) => (
          <Palette.Group key={group} heading={group} className={groupClass}>
            {commands.map((command) => (
              <Palette.Item
                key={command.id ?? command.label}
                value={`${command.label}${valueEnd}${group} ${command.id ?? ''}`}
                keywords={[group, ...(command.words === undefined ? [] : [command.words])]}
                onSelect={() => run(command)}
                className={itemClass}
              >
                <span className="min-w-0 flex-1 truncate">
                  {command.label}
                  {command.hint !== undefined && (
                    <span aria-hidden className="ml-2 font-mono text-xs text-ink-3">
                      {command.hint}
                    </span>
                  )}
                </span>
                {command.keys !== undefined && <Keys keys={command.keys} />}
              </Palette.Item>
            ))}
          </Palette.Group>
        ))}
        {query.trim() !== '' && (
          <Palette.Group heading="Search" forceMount className={groupClass}>
            {uuidOfAnyCasePattern.test(query.trim()) && (
              <Palette.Item forceMount value="open trace" onSelect={openTrace} className={itemClass}>
                <span className="min-w-0 flex-1 truncate">Open the trace {query.trim()}</span>
              </Palette.Item>
            )}
            <Palette.Item forceMount value="search traces" onSelect={searchTraces} className={itemClass}>
              <Search aria-hidden size={14} className="shrink-0 text-ink-3" />
              <span className="min-w-0 flex-1 truncate">Traces with “{query.trim()}”</span>
            </Palette.Item>
          </Palette.Group>
        )}
      </Palette.List>
    </Palette>
  )
}
