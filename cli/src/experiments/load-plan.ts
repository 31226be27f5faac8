/** Loads the module of an experiment and explains what its export lacks. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExperimentPlan, Plumbline } from '@plumbline/sdk'
import { CommandFailed } from '../session.ts'

/** An experiment, or a function that builds one from the client, for modules that wrap model clients. */
type PlanExport = ExperimentPlan | ((plumbline: Plumbline) => ExperimentPlan | Promise<ExperimentPlan>)

export async function loadPlan(file: string, plumbline: Plumbline): Promise<ExperimentPlan> {
  const path = resolve(file)
  if (!existsSync(path)) throw new CommandFailed(`There is no file ${file}.`)
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: PlanExport }
  const plan = typeof module.default === 'function' ? await module.default(plumbline) : module.default
  const problem = findProblem(plan)
  if (problem !== undefined) throw new CommandFailed(`${file}: the default export ${problem}.`)
  // Safe: findProblem checked every required field.
  return plan as ExperimentPlan
}

function findProblem(plan: unknown): string | undefined {
  if (typeof plan !== 'object' || plan === null)
    return 'must be an experiment, or a function that returns one'
  const { name, featureSlug, dataset, run, evaluators } = plan as Readonly<Record<string, unknown>>
  if (typeof name !== 'string') return 'needs a "name"'
  if (typeof featureSlug !== 'string') return 'needs the slug of a feature as "featureSlug"'
  if (typeof dataset !== 'string' && !Array.isArray(dataset))
    return 'needs the slug of a dataset, or rows, as "dataset"'
  if (typeof run !== 'function') return 'needs a function "run"'
  const functions = evaluators === undefined ? [] : Object.values(Object(evaluators) as object)
  if (functions.some((judge) => typeof judge !== 'function')) return 'has an evaluator that is not a function'
  return undefined
}
