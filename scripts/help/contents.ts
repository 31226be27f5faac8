/** The pages of the help in order. A test checks that each file of `docs/` is listed once. */
export interface Chapter {
  readonly title: string
  readonly pages: readonly string[]
}

export const chapters: readonly Chapter[] = [
  {
    title: 'Record',
    pages: ['sdk', 'python', 'opentelemetry', 'clients', 'langfuse', 'import-export', 'mcp'],
  },
  {
    title: 'Work with it',
    pages: [
      'prompts',
      'datasets',
      'experiments',
      'evaluation',
      'annotation',
      'alerts',
      'dashboards',
      'sharing',
    ],
  },
  {
    title: 'Administer',
    pages: ['people', 'connections', 'masking', 'deletion', 'audit', 'security', 'settings'],
  },
  { title: 'Operate', pages: ['deploy', 'kubernetes', 'operations', 'cli', 'sizing', 'scale'] },
  { title: 'Interface', pages: ['reference', 'conventions'] },
  {
    title: 'How it works',
    pages: ['spool', 'control-store', 'trace-store', 'accuracy', 'performance', 'glossary'],
  },
]
