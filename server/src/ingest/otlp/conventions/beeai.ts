/** BeeAI: attributes without a prefix, in addition to those that its OpenInference instrumentation sets. */
import type { Convention } from '../facts.ts'

export const beeAi: Convention = {
  name: 'beeai',
  understands: /^(beeai\.|target$|name$|traceId$|iteration$|source$|history$|thought$|data$)/,
  read(span) {
    if (!span.span.scope.name.includes('beeai') && !span.has('beeai.version')) return undefined
    const reasoning = span.text('thought')
    return {
      input: span.structure('history'),
      output: reasoning === undefined ? undefined : { thought: reasoning },
    }
  },
}
