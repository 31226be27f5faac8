/** `crew_*`, `task_*`: CrewAI's own telemetry, which is also on the spans of its OpenInference instrumentation. */
import type { Convention } from '../facts.ts'

export const crewAi: Convention = {
  name: 'crewai',
  understands:
    /^(crew_|crewai|task_|task_key$|agent_|python_version$|formatted_|expected_output|tool_name$|attempts$|llm$|flow_)/,
  read(span) {
    if (
      !span.has('crew_key') &&
      !span.has('crew_id') &&
      !span.has('task_key') &&
      !/^crewai/.test(span.span.scope.name)
    )
      return undefined
    const isTool = span.has('tool_name')
    return {
      kind: isTool ? 'tool' : undefined,
      input: span.structure('crew_inputs') ?? span.text('formatted_description'),
      output: span.structure('crew_output', 'task_output'),
    }
  },
}
