/**
 * The oldest supported browsers, all from the first half of 2024: the build target. README.md and public/theme.js
 * state them to users.
 */
export const oldestBrowsers = { chrome: '123', edge: '123', firefox: '128', safari: '17.5' } as const

export const buildTarget = Object.entries(oldestBrowsers).map(([name, version]) => name + version)
