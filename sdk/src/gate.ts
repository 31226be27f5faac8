/** Experiment runs in the service, and the gate that decides whether a candidate may replace a baseline. */
export type { ExperimentRun } from '@plumbline/contract'
export { gateMarkdown } from './gate/gate-markdown.ts'
export {
  type Comparison,
  type GateVerdict,
  judgeGate,
  type RuleVerdict,
  type Verdict,
} from './gate/judge-gate.ts'
export { type GateRule, RuleUnreadable, readRule, readRules } from './gate/rule.ts'
export { followRun, startExperiment, WaitedTooLong, waitForJudging } from './gate/run-experiment.ts'
