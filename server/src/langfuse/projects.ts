import type { LangfuseContext, LangfuseInput } from './endpoint.ts'

/** The workspace of the key: clients ask for it to see whether their keys are right. */
export async function list(_input: LangfuseInput, { workspace }: LangfuseContext): Promise<object> {
  const name = (await workspace.workspaceName.find()) ?? workspace.id
  return {
    data: [
      { id: workspace.id, name, organization: { id: workspace.id, name }, metadata: {}, retentionDays: null },
    ],
  }
}
