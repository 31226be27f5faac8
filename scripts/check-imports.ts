/** Part of `npm run check`: says which imports the rule of imports forbids. */
import { findImportProblems } from './import-rule.ts'

const problems = findImportProblems('.')
for (const { file, specifier, problem } of problems)
  process.stdout.write(`${file}: '${specifier}'. ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
