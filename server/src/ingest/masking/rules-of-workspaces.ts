/**
 * The masking rules of each workspace, compiled and cached until they change. While the control plane is away, the rules
 * that this node read last apply; rules that it does not know are never treated as no rules.
 */
import { createHmac } from 'node:crypto'
import type { MaskingRule } from '@plumbline/contract'
import { ControlStoreAway } from '@plumbline/storage/control'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import type { RuleSource } from './masking-messages.ts'

export interface RulesParts {
  /** The rules of a workspace, as stored. */
  readonly rulesOf: (workspaceId: string) => Promise<readonly MaskingRule[]>
  /** Derived from the installation's secret. */
  readonly key: Buffer
}

export interface LoadedRules {
  readonly source: RuleSource
  readonly compiledRules: CompiledRules
  readonly hasPatterns: boolean
}

interface Rules {
  /** Null for the many workspaces without rules. */
  readonly rulesByWorkspace: ReadonlyMap<string, LoadedRules | null>
  sourceOf(workspaceId: string, rules: readonly MaskingRule[]): RuleSource
  find(workspaceId: string): LoadedRules | null | Promise<LoadedRules | null>
  /** Applies rules that were just stored, although the control plane may be away before they are read. */
  keep(workspaceId: string, rules: readonly MaskingRule[]): void
  /** Makes the rules of a workspace be read again. */
  forget(workspaceId: string): void
}

export function makeRules({ rulesOf, key }: RulesParts): Rules {
  const rulesByWorkspace = new Map<string, LoadedRules | null>()
  const loading = new Map<string, Promise<LoadedRules | null>>()
  /** The rules that were loaded last; they may have changed since. */
  const lastLoaded = new Map<string, LoadedRules | null>()

  const sourceOf = (workspaceId: string, rules: readonly MaskingRule[]): RuleSource => ({
    rules,
    key: createHmac('sha256', key).update(workspaceId).digest(),
  })

  const toLoaded = (workspaceId: string, rules: readonly MaskingRule[]): LoadedRules | null => {
    if (!rules.some(({ enabled }) => enabled !== false)) return null
    const source = sourceOf(workspaceId, rules)
    return {
      source,
      compiledRules: compileRules(rules, Buffer.from(source.key)),
      hasPatterns: rules.some(({ type, enabled }) => type === 'pattern' && enabled !== false),
    }
  }

  const find = (workspaceId: string): LoadedRules | null | Promise<LoadedRules | null> => {
    const loadedRules = rulesByWorkspace.get(workspaceId)
    if (loadedRules !== undefined) return loadedRules
    const underWay = loading.get(workspaceId)
    if (underWay !== undefined) return underWay
    const promise: Promise<LoadedRules | null> = rulesOf(workspaceId).then(
      (storedRules) => {
        const rules = toLoaded(workspaceId, storedRules)
        // Rules that changed while they were loading were forgotten, and these may be the old ones.
        if (loading.get(workspaceId) === promise) {
          rulesByWorkspace.set(workspaceId, rules)
          lastLoaded.set(workspaceId, rules)
        }
        return rules
      },
      (error: unknown) => {
        const last = lastLoaded.get(workspaceId)
        if (error instanceof ControlStoreAway && last !== undefined) return last
        throw error
      },
    )
    loading.set(workspaceId, promise)
    const clear = () => {
      if (loading.get(workspaceId) === promise) loading.delete(workspaceId)
    }
    promise.then(clear, clear)
    return promise
  }

  return {
    rulesByWorkspace,
    sourceOf,
    find,
    keep(workspaceId, rules) {
      loading.delete(workspaceId)
      lastLoaded.set(workspaceId, toLoaded(workspaceId, rules))
    },
    forget(workspaceId) {
      rulesByWorkspace.delete(workspaceId)
      loading.delete(workspaceId)
    },
  }
}
