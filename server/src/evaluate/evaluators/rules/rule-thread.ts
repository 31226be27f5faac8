/** A thread that judges by rules, one question at a time. The main thread terminates it if a reply takes too long. */
import { parentPort } from 'node:worker_threads'
import { ServiceError } from '@plumbline/contract'
import { LRUCache } from 'lru-cache'
import type { Config, Judge } from './judge.ts'
import { readRule } from './rule.ts'
import type { Question, Reply } from './rule-messages.ts'

const port = parentPort
if (port === null) throw new Error('This module runs as a worker thread.')

/** Reading a rule may compile a schema, and most questions use the same few rules. */
const rules = new LRUCache<string, { readonly judge: Judge }>({ max: 500 })

port.on('message', (question: Question) => port.postMessage(replyTo(question)))

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
    return { type: 'broke', error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
