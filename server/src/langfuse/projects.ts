import type { LangfuseContext, LangfuseInput } from './endpoint.ts'

/** The workspace of the key: clients request it to check their keys. */
export async function list(_input: LangfuseInput, { workspace }: LangfuseContext): Promise<object> {
  const name = (await workspace.workspaceName.find()) ?? workspace.id
  return {
    data: [
      { id: workspace.id, name, organization: { id: workspace.id, name }, metadata: {}, retentionDays: null },
    ],
  }
}
