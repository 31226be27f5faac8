/** The masking worker: masks large values and searches patterns, so that requests do not wait for it. */
import { LRUCache } from 'lru-cache'
import { handleTasks } from '../../process/threads/worker-task.ts'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import { type Deadline, deadlineIn, maskingMsFor, sizeOf } from './deadline.ts'
import { maskRecord, maskSample } from './mask-record.ts'
import { maskScoreRow, maskStoredTrace } from './mask-rows.ts'
import type { RuleSource, Task, TaskResult } from './masking-messages.ts'
import { rehearse } from './rehearse-traces.ts'

/** Cached, because compiling a pattern takes a millisecond. */
const compiled = new LRUCache<string, CompiledRules>({ max: 100 })

function rulesOf({ rules, key }: RuleSource): CompiledRules {
  const keyBuffer = Buffer.from(key)
  const cacheKey = `${keyBuffer.toString('base64')} ${JSON.stringify(rules)}`
  const cachedRules = compiled.get(cacheKey) ?? compileRules(rules, keyBuffer)
  compiled.set(cacheKey, cachedRules)
  return cachedRules
}

const deadlineFor = (bytes: number): Deadline => deadlineIn(maskingMsFor(bytes))

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function perform(task: Task): TaskResult {
  const rules = rulesOf(task.source)
  switch (task.type) {
    case 'record': {
      const body = asBuffer(task.body)
      return maskRecord({ accepted: task.accepted, body }, rules, { deadline: deadlineFor(body.length) })
    }
    case 'sample': {
      const body = asBuffer(task.body)
      return { sample: maskSample(body, rules, { deadline: deadlineFor(body.length) }, task.lengthMax) }
    }
    case 'traces': {
      const deadline = deadlineIn(task.limitMs ?? maskingMsFor(sizeOf(task.traces)))
      return { traces: task.traces.map((trace) => maskStoredTrace(trace, rules, { deadline })) }
    }
    case 'score':
      return { score: maskScoreRow(task.score, rules, { deadline: deadlineFor(0) }) }
    case 'rehearsal':
      return rehearse(task.traces, rules, task.source.rules.length, deadlineFor(sizeOf(task.traces)))
  }
}

handleTasks(perform)
