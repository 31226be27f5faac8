export const environment: Readonly<Record<string, string>>
