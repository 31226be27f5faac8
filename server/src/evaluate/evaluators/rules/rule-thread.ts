/**
 * A thread that judges by rules, one task at a time. The main thread terminates it if a task takes too long. Its modules
 * import parts of the contract, since loading all schemas would take longer than loading the rest.
 */
import { ServiceError } from '@plumbline/contract/errors'
import { LRUCache } from 'lru-cache'
import { handleTasks } from '../../../process/threads/worker-task.ts'
import type { Config, Judge } from './judge.ts'
import { readRule } from './rule.ts'
import type { Question, Reply } from './rule-messages.ts'

/** Cached, since reading a rule may compile a schema, and most tasks use the same few rules. */
const rules = new LRUCache<string, { readonly judge: Judge }>({ max: 500 })

handleTasks(replyTo)

function replyTo({ kind, config, subject }: Question): Reply {
  try {
    const key = `${kind} ${config}`
    // Safe: the contract's schema admits only objects.
    const read = rules.get(key) ?? { judge: readRule(kind, JSON.parse(config) as Config) }
    rules.set(key, read)
    return { type: 'judged', verdict: read.judge(subject) }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') {
      // Safe: errors with this code carry these facts.
      const { path, problem } = error.facts as { path: string; problem: string }
      return { type: 'invalid', path, problem }
    }
    throw error
  }
}
