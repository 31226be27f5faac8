/** The masking rules of each workspace, compiled and kept until they change. */
import { createHmac } from 'node:crypto'
import type { MaskingRule } from '@plumbline/contract'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import type { RuleSource } from './masking-messages.ts'

export interface RulesParts {
  /** The rules of a workspace, as stored. */
  readonly rulesOf: (workspaceId: string) => Promise<readonly MaskingRule[]>
  /** Derived from the secret of the installation. */
  readonly key: Buffer
}

export interface LoadedRules {
  readonly source: RuleSource
  readonly compiled: CompiledRules
  readonly hasPatterns: boolean
}

interface Rules {
  /** Null for the many workspaces without rules. */
  readonly loaded: ReadonlyMap<string, LoadedRules | null>
  sourceOf(workspaceId: string, rules: readonly MaskingRule[]): RuleSource
  find(workspaceId: string): LoadedRules | null | Promise<LoadedRules | null>
  forget(workspaceId: string): void
}

export function makeRules({ rulesOf, key }: RulesParts): Rules {
  const loaded = new Map<string, LoadedRules | null>()
  const loading = new Map<string, Promise<LoadedRules | null>>()

  const sourceOf = (workspaceId: string, rules: readonly MaskingRule[]): RuleSource => ({
    rules,
    key: createHmac('sha256', key).update(workspaceId).digest(),
  })

  const load = async (workspaceId: string): Promise<LoadedRules | null> => {
    const rules = await rulesOf(workspaceId)
    if (!rules.some(({ enabled }) => enabled !== false)) return null
    const source = sourceOf(workspaceId, rules)
    return {
      source,
      compiled: compileRules(rules, Buffer.from(source.key)),
      hasPatterns: rules.some(({ type, enabled }) => type === 'pattern' && enabled !== false),
    }
  }

  const find = (workspaceId: string): LoadedRules | null | Promise<LoadedRules | null> => {
    const loadedRules = loaded.get(workspaceId)
    if (loadedRules !== undefined) return loadedRules
    const underWay = loading.get(workspaceId)
    if (underWay !== undefined) return underWay
    const promise: Promise<LoadedRules | null> = load(workspaceId).then((rules) => {
      // Rules that changed meanwhile were forgotten, and these may be the old ones.
      if (loading.get(workspaceId) === promise) loaded.set(workspaceId, rules)
      return rules
    })
    loading.set(workspaceId, promise)
    const clear = () => {
      if (loading.get(workspaceId) === promise) loading.delete(workspaceId)
    }
    promise.then(clear, clear)
    return promise
  }

  return {
    loaded,
    sourceOf,
    find,
    forget(workspaceId) {
      loaded.delete(workspaceId)
      loading.delete(workspaceId)
    },
  }
}
