/** The module of an experiment: what it must export, told in words where it does not. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExperimentPlan, Plumbline } from '@plumbline/sdk'
import { CommandFailed } from '../session.ts'

/** An experiment, or a function that makes one of the client, for modules that wrap model clients with it. */
type Exported = ExperimentPlan | ((plumbline: Plumbline) => ExperimentPlan | Promise<ExperimentPlan>)

export async function loadPlan(file: string, plumbline: Plumbline): Promise<ExperimentPlan> {
  const path = resolve(file)
  if (!existsSync(path)) throw new CommandFailed(`There is no file ${file}.`)
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: Exported }
  const plan = typeof module.default === 'function' ? await module.default(plumbline) : module.default
  const problem = problemOf(plan)
  if (problem !== undefined) throw new CommandFailed(`${file}: the default export ${problem}.`)
  // Safe: what is used of it was looked at.
  return plan as ExperimentPlan
}

function problemOf(plan: unknown): string | undefined {
  if (typeof plan !== 'object' || plan === null) return 'must be an experiment, or a function that makes one'
  const { name, featureSlug, dataset, run, evaluators } = plan as Readonly<Record<string, unknown>>
  if (typeof name !== 'string') return 'needs a "name"'
  if (typeof featureSlug !== 'string') return 'needs the slug of a feature as "featureSlug"'
  if (typeof dataset !== 'string' && !Array.isArray(dataset))
    return 'needs the slug of a dataset, or rows, as "dataset"'
  if (typeof run !== 'function') return 'needs a function "run"'
  const judges = evaluators === undefined ? [] : Object.values(Object(evaluators) as object)
  if (judges.some((judge) => typeof judge !== 'function')) return 'has an evaluator that is no function'
  return undefined
}
