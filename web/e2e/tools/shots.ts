/** The screenshots: add an entry for each screen, and for each state that looks different. */
import type { Page } from 'playwright-core'

export interface Shot {
  readonly name: string
  readonly path: string
  /** Brings the screen into the state to capture. */
  readonly prepare?: (page: Page) => Promise<void>
}

export const shots: readonly Shot[] = [
  { name: 'traces', path: '/traces?range=30d' },
  {
    name: 'traces-panel',
    path: '/traces?range=30d&q=feature:support-chat',
    prepare: async (page) => {
      // On a phone the panel covers the list.
      await page.getByRole('row').nth(1).getByRole('checkbox').click()
      await page.getByRole('row').nth(2).click()
      await page.getByLabel('Search the tree').waitFor()
    },
  },
  {
    name: 'traces-filter',
    path: '/traces?range=30d&q=modle:x',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Filter' }).fill('user:')
      await page.getByRole('option').first().waitFor()
    },
  },
  { name: 'conversations', path: '/conversations?range=30d' },
  {
    name: 'conversation',
    path: '/conversations?range=30d&sort=-traces',
    prepare: async (page) => {
      await page.getByRole('row').nth(1).click()
      await page.getByRole('list', { name: 'Turns' }).waitFor()
    },
  },
  {
    name: 'traces-selection',
    path: '/traces?range=30d',
    prepare: async (page) => {
      for (const index of [1, 2]) await page.getByRole('row').nth(index).getByRole('checkbox').click()
      await page.getByRole('region', { name: 'Selection' }).waitFor()
    },
  },
  { name: 'users', path: '/users?range=30d&sort=-cost' },
  { name: 'customers', path: '/users?range=30d&tab=customers' },
  { name: 'dashboard', path: '/dashboard?range=30d' },
  { name: 'dashboard-by', path: '/dashboard?range=30d&by=promptVersion' },
  { name: 'annotation', path: '/annotation' },
  { name: 'annotation-queue', path: '/annotation', prepare: openQueue },
  {
    name: 'annotation-remove',
    path: '/annotation',
    prepare: async (page) => {
      await openQueue(page)
      await page.getByRole('checkbox', { name: 'Select all rows' }).click()
      await page.getByRole('button', { name: 'Remove from queue' }).waitFor()
    },
  },
  {
    name: 'annotation-remove-asked',
    path: '/annotation',
    prepare: async (page) => {
      await openQueue(page)
      await page.getByRole('checkbox', { name: 'Select all rows' }).click()
      await page.getByRole('button', { name: 'Remove from queue' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'annotation-agreement',
    path: '/annotation',
    prepare: async (page) => {
      await openQueue(page)
      await page.getByRole('tab', { name: 'Agreement' }).click()
      await page.getByRole('columnheader', { name: 'Pair' }).waitFor()
    },
  },
  {
    name: 'annotation-settings',
    path: '/annotation',
    prepare: async (page) => {
      await openQueue(page)
      await page.getByRole('tab', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Save' }).waitFor()
    },
  },
  {
    name: 'annotate',
    path: '/annotation',
    prepare: async (page) => {
      await openQueue(page)
      await page.getByRole('link', { name: /^Annotate/ }).click()
      await page.getByRole('region', { name: 'Output', exact: true }).waitFor()
    },
  },
  {
    name: 'rollout',
    path: '/prompts/docs-rewrite?view=rollout',
    prepare: async (page) => {
      await page.getByRole('row', { name: /^Cost per call/ }).waitFor()
    },
  },
  {
    name: 'rollout-start',
    path: '/prompts/support-triage?view=rollout',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Start a rollout' }).click()
      await page.getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'prompt-served',
    path: '/prompts/docs-rewrite?view=served&range=30d',
    prepare: async (page) => {
      await page.getByText('Fetched by').first().waitFor()
    },
  },
  { name: 'ledger', path: '/ledger' },
  {
    name: 'ledger-panel',
    path: '/ledger',
    prepare: (page) => page.getByRole('row').nth(1).click(),
  },
  { name: 'keys', path: '/settings/keys' },
  {
    name: 'keys-new',
    path: '/settings/keys',
    prepare: (page) => page.getByRole('button', { name: 'New API key' }).click(),
  },
  {
    name: 'palette',
    path: '/traces',
    prepare: (page) => page.keyboard.press('ControlOrMeta+k'),
  },
  {
    name: 'shortcuts',
    path: '/ledger',
    prepare: (page) => page.keyboard.press('?'),
  },
  { name: 'trace', path: '/traces?q=feature:sales-agent', prepare: openTrace },
  {
    name: 'trace-failed',
    path: '/traces?q=hasError:true',
    prepare: async (page) => {
      await openTrace(page)
      await page.keyboard.press('e')
    },
  },
  {
    name: 'trace-chat',
    path: '/traces?q=feature:support-chat',
    prepare: async (page) => {
      await openTrace(page)
      await page.keyboard.press('End')
    },
  },
  { name: 'prompts', path: '/prompts?range=30d' },
  { name: 'prompt', path: '/prompts/support-answer' },
  { name: 'prompt-changes', path: '/prompts/support-answer?view=changes&version=3.1.0' },
  { name: 'prompt-figures', path: '/prompts/support-answer?view=figures&range=30d' },
  { name: 'prompt-tags', path: '/prompts/support-answer?view=tags' },
  {
    name: 'prompt-publish',
    path: '/prompts/support-answer',
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Text' }).waitFor()
      await page.keyboard.press('p')
    },
  },
  { name: 'prompt-edit', path: '/prompts/support-answer/edit' },
  { name: 'playground', path: '/playground?prompt=support-answer&version=3.0.0' },
  { name: 'connections', path: '/settings/connections' },
  { name: 'datasets', path: '/datasets' },
  { name: 'dataset', path: '/datasets/support-golden' },
  {
    name: 'dataset-row',
    path: '/datasets/hostile-questions',
    prepare: async (page) => {
      await page.getByRole('grid').focus()
      await page.keyboard.press('ControlOrMeta+Enter')
    },
  },
  {
    name: 'dataset-versions',
    path: '/datasets/support-golden',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Versions' }).click()
      const versions = page.getByRole('dialog', { name: 'Versions' })
      const save = versions.getByRole('button', { name: 'Save version' })
      await save.waitFor()
      if (await save.isEnabled()) await save.click()
      await versions.getByText('Version 1').waitFor()
    },
  },
  { name: 'dataset-version', path: '/datasets/support-golden?version=1' },
  {
    name: 'dataset-schema',
    path: '/datasets/support-golden',
    prepare: async (page) => {
      await page.getByRole('columnheader').getByRole('button').first().click()
      await page.getByRole('menuitem', { name: 'Schema' }).click()
    },
  },
  {
    name: 'dataset-import',
    path: '/datasets/docs-questions',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Import' }).first().click()
      const csv = 'question,answer,source,context\nWhy?,Because.,web,{}\n,,mail,\nHow many?,Seven.,web,[1]\n'
      await page
        .getByLabel('File to import')
        .setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    },
  },
  { name: 'experiments', path: '/experiments' },
  { name: 'compare', path: '/experiments?sort=name', prepare: compareTwo },
  {
    name: 'compare-case',
    path: '/experiments?sort=name',
    prepare: async (page) => {
      await compareTwo(page)
      await page.getByRole('grid', { name: 'Cases' }).getByRole('row').nth(1).click()
      await page.getByRole('complementary', { name: 'Case' }).getByText('Ideal output').waitFor()
    },
  },
  {
    name: 'experiment-gate',
    path: '/experiments?sort=name',
    prepare: async (page) => {
      await compareTwo(page)
      await page.getByRole('button', { name: 'Gate' }).click()
      await page.getByRole('region', { name: 'Verdict' }).waitFor()
    },
  },
  {
    name: 'experiment-new',
    path: '/experiments/run?dataset=support-golden&prompt=support-answer&version=3.0.0',
  },
  {
    name: 'experiment-endpoint',
    path: '/experiments/run?dataset=docs-questions',
    prepare: (page) => page.getByRole('radio', { name: 'An endpoint' }).click(),
  },
  {
    name: 'experiment-run',
    path: '/experiments',
    prepare: async (page) => {
      await page
        .getByRole('link', { name: /^Run of/ })
        .first()
        .click()
      await page.getByRole('grid', { name: 'Cases' }).getByRole('row').nth(1).waitFor()
    },
  },
  { name: 'get-started', path: '/get-started' },
  { name: 'get-started-otel', path: '/get-started?with=opentelemetry' },
  { name: 'evaluators', path: '/evaluators?range=30d' },
  { name: 'evaluator', path: '/evaluators/rating?range=30d' },
  {
    name: 'evaluator-new',
    path: '/evaluators/new?kind=contains',
    prepare: async (page) => {
      await page.getByLabel('Text', { exact: true }).fill('the')
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('list', { name: 'Results' }).waitFor()
    },
  },
  { name: 'evaluator-versions', path: '/evaluators/cites-sources?view=versions', prepare: makeVersions },
  { name: 'evaluator-sampling', path: '/evaluators/no-promises?view=sampling&range=30d' },
  {
    name: 'evaluator-evaluations',
    path: '/evaluators/no-promises?view=evaluations',
    prepare: async (page) => {
      await page
        .getByRole('grid', { name: 'Evaluations' })
        .getByRole('row')
        .nth(1)
        .click({ position: { x: 40, y: 18 } })
      await page.getByRole('complementary', { name: 'Evaluation' }).waitFor()
    },
  },
  {
    name: 'evaluator-model',
    path: '/evaluators/support-helpful/edit',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Test the connection' }).click()
      await page.getByRole('button', { name: 'Test the connection', disabled: false }).waitFor()
    },
  },
  { name: 'queue', path: '/evaluators?view=queue' },
  { name: 'queue-waiting', path: '/evaluators?view=queue&status=waiting' },
  {
    name: 'judge-trace',
    path: '/traces?range=30d&q=evaluator:no-promises sampled:true',
    prepare: async (page) => {
      await openTrace(page)
      await page.getByRole('region', { name: 'Evaluations' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'judge-dialog',
    path: '/traces?range=30d',
    prepare: async (page) => {
      await page.getByRole('row').nth(1).getByRole('checkbox').click()
      await page.getByRole('button', { name: 'Evaluate…' }).click()
      await page.getByRole('list', { name: 'Evaluators' }).waitFor()
    },
  },
  { name: 'evaluator-template', path: '/evaluators/new?template=faithfulness' },
  { name: 'evaluator-code', path: '/evaluators/new?kind=code' },
  { name: 'alerts', path: '/alerts' },
  {
    name: 'alert',
    path: '/alerts?range=30d',
    prepare: async (page) => {
      await page.getByRole('row').filter({ hasText: 'Runs fail' }).click()
      await page.getByRole('img', { name: /past values/ }).waitFor()
    },
  },
  {
    name: 'alert-new',
    path: '/alerts/new?start=latency&range=30d',
    prepare: (page) => page.getByRole('img', { name: /past values/ }).waitFor(),
  },
  { name: 'alerts-history', path: '/alerts?view=history' },
  { name: 'alerts-channels', path: '/alerts?view=channels' },
  {
    name: 'channel-new',
    path: '/alerts?view=channels',
    prepare: (page) => page.getByRole('button', { name: 'New channel' }).click(),
  },
  { name: 'workspace', path: '/settings/workspace' },
  { name: 'members', path: '/settings/members' },
  { name: 'prices', path: '/settings/prices?model=gpt-4o' },
  {
    name: 'masking',
    path: '/settings/masking',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Start with all detectors' }).click()
      await page.getByRole('button', { name: 'Try on' }).click()
      await page.getByRole('status').filter({ hasText: 'would have changed' }).waitFor()
    },
  },
  { name: 'accounts', path: '/settings/accounts' },
  { name: 'audit', path: '/settings/audit?everywhere=true' },
  {
    name: 'audit-entry',
    path: '/settings/audit',
    prepare: async (page) => {
      await changeRetention(page)
      await page.goto(`${new URL(page.url()).origin}/app/settings/audit?operation=audit.configure`)
      await page.getByRole('row').nth(1).click()
      await page.getByRole('heading', { name: 'audit.configure' }).waitFor()
    },
  },
  { name: 'jobs', path: '/settings/jobs?all=true' },
  { name: 'capacity', path: '/settings/capacity' },
  {
    name: 'capacity-warning',
    path: '/settings/capacity',
    prepare: async (page) => {
      const gibibyte = 1024 ** 3
      await page.route(/:\d+\/capacity$/, (route) =>
        route.fulfill({
          json: {
            capacity: {
              state: 'low',
              warning:
                'The disk of the data directory is filling up: 1.8 GB of 40 GB are free, and recording stops at 512 MB. Shorten the retention, remove old backups, or enlarge the disk.',
              disk: { freeBytes: 1.8 * gibibyte, sizeBytes: 40 * gibibyte, reserveBytes: gibibyte / 2 },
              spool: { records: 12, bytes: 48_000, quotaBytes: 2 * gibibyte, oldestAt: new Date() },
            },
          },
        }),
      )
      await page.reload()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'erasure',
    path: '/settings/erasure',
    prepare: async (page) => {
      await page.getByLabel('User ID').fill('user-1')
      await page.getByRole('button', { name: 'Preview erasure' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'retention',
    path: '/settings/workspace',
    prepare: async (page) => {
      await page.getByLabel('All traces').fill('20')
      await page.getByRole('button', { name: 'Save…' }).click()
      await page.getByRole('row', { name: /^Expired/ }).waitFor()
    },
  },
  {
    name: 'retention-form',
    path: '/settings/workspace',
    prepare: (page) => page.getByLabel('Idempotency keys').scrollIntoViewIfNeeded(),
  },
  {
    name: 'traces-delete',
    path: '/traces?range=90d&q=error%3Atrue',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Delete all that match' }).click()
      await page
        .getByRole('alertdialog')
        .getByText(/^This deletes|^There are no/)
        .waitFor()
    },
  },
  { name: 'you', path: '/settings/you' },
]

/** Creates the evaluator's next version unless it exists, and shows the changes. */
async function makeVersions(page: Page): Promise<void> {
  const versions = page.getByRole('list', { name: 'Versions' }).getByRole('button')
  await versions.first().waitFor()
  if ((await versions.count()) > 1) return
  await page.keyboard.press('e')
  await page.getByLabel('Pattern').fill('\\[kb-\\d{3,4}\\]')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('tab', { name: 'Versions' }).click()
  await versions.nth(1).waitFor()
}

/** Selects experiments on the same cases, and compares them. */
async function compareTwo(page: Page): Promise<void> {
  for (const name of ['2.0.0 on GPT-4o', '2.2.0, action first', '3.0.0 on GPT-5 mini'])
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').click()
  await page.getByRole('button', { name: /^Compare/ }).click()
  await page.getByRole('grid', { name: 'Cases' }).getByRole('row').nth(1).waitFor()
}

/** Opens the first trace of the list on its own screen. */
async function openQueue(page: Page): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'Tone of support answers' }).click()
  await page.getByRole('row').nth(1).waitFor()
}

async function openTrace(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).click()
  await page.getByRole('button', { name: 'Open full screen' }).click()
  await page.getByRole('tree', { name: 'Logs' }).waitFor()
}

async function changeRetention(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.request.patch(`${origin}/audit/settings`, { headers: { origin }, data: { days: 90 } })
  await page.request.patch(`${origin}/audit/settings`, { headers: { origin }, data: { days: null } })
}
