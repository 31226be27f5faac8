/** The oldest browsers that the page runs in, all of the first half of 2024: what it is built for. README.md and public/theme.js tell people. */
export const oldestBrowsers = { chrome: '123', edge: '123', firefox: '128', safari: '17.5' } as const

export const buildTarget = Object.entries(oldestBrowsers).map(([name, version]) => name + version)
