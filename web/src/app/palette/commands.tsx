/** The commands of the palette. Screens add their own while they are mounted. */
import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react'

export interface Command {
  /** Needed if two commands of a group may have the same label. */
  readonly id?: string
  readonly label: string
  /** The heading; the screen's by default. */
  readonly group?: string
  /** Shown beside the label, to tell commands of the same name apart. */
  readonly hint?: string
  /** Additional search terms. */
  readonly words?: string
  readonly keys?: string
  readonly run: () => void
}

interface Registry {
  list(): readonly Command[]
  set(owner: string, commands: (() => readonly Command[]) | undefined): void
}

const CommandsContext = createContext<Registry | undefined>(undefined)

export function CommandsProvider({ children }: { readonly children: ReactNode }) {
  const [registry] = useState<Registry>(() => {
    const owners = new Map<string, () => readonly Command[]>()
    return {
      list: () => [...owners.values()].flatMap((commands) => commands()),
      set: (owner, commands) => {
        if (commands === undefined) owners.delete(owner)
        else owners.set(owner, commands)
      },
    }
  })
  return <CommandsContext value={registry}>{children}</CommandsContext>
}

const useRegistry = (): Registry => {
  const registry = useContext(CommandsContext)
  if (registry === undefined) throw new Error('Commands need a CommandsProvider above them.')
  return registry
}

/** Offers commands in the palette while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useId()
  const registry = useRegistry()
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    registry.set(owner, () => latest.current)
    return () => registry.set(owner, undefined)
  }, [owner, registry])
}

/** All commands at present. */
export const useOfferedCommands = (): (() => readonly Command[]) => useRegistry().list
