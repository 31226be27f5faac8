import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ExactChunk, groupChunks } from './chunk-groups.ts'

const codeOf = (length: number): string => 'a'.repeat(length)
const chunk = (file: string, screens: number[], fields: Partial<ExactChunk> = {}): ExactChunk => ({
  ...{ file, modules: [file], imports: [], code: codeOf(1000) },
  ...{ screens: new Set(screens), waitingScreens: new Set(screens) },
  ...fields,
})
const filesOf = (groups: readonly (readonly ExactChunk[])[]): string[] =>
  groups.map((group) => group.map(({ file }) => file).join()).toSorted()

describe('groupChunks', () => {
  it('merges nothing if no screen loads too many files', () => {
    assert.deepEqual(filesOf(groupChunks([chunk('a', [1]), chunk('b', [1, 2])], () => 2)), ['a', 'b'])
  })

  it('merges the chunks that add the fewest unused bytes', () => {
    const chunks = [
      chunk('everywhere', [1, 2, 3]),
      chunk('nearly', [1, 2, 3]),
      chunk('small', [1], { code: codeOf(10) }),
      chunk('large', [1], { code: codeOf(90_000) }),
    ]
    // Both are on the same screens, so nothing is loaded unnecessarily.
    assert.deepEqual(filesOf(groupChunks(chunks, () => 2)), ['large,small', 'nearly,everywhere'])
  })

  it('keeps the files of screens separate, but counts them', () => {
    const screen = chunk('screen', [1], { modules: [], imports: ['a', 'b'] })
    assert.deepEqual(filesOf(groupChunks([screen, chunk('a', [1]), chunk('b', [1])], () => 2)), ['b,a'])
  })

  it('counts code that a screen loads because a group imports it', () => {
    const small = codeOf(300)
    const chunks = [
      chunk('heavy', [1, 3, 4, 5, 6], { code: codeOf(150_000) }),
      chunk('importing', [1, 3], { imports: ['heavy'], code: small }),
      chunk('light', [1, 2], { code: small }),
    ]
    // Merging it with the light one would cost a third less, but screen 2 would load the heavy one.
    const groups = groupChunks(chunks, (screen) => (screen === 1 ? 2 : 9))
    assert.deepEqual(filesOf(groups), ['importing,heavy', 'light'])
  })

  it('creates no group that would import itself through another', () => {
    const chunks = [
      chunk('top', [1], { imports: ['middle'] }),
      chunk('middle', [1, 2], { imports: ['bottom'], code: codeOf(50_000) }),
      chunk('bottom', [1]),
    ]
    // The top and the bottom are on the same screen, so merging them would cost nothing.
    const groups = groupChunks(chunks, () => 2)
    assert.ok(
      !filesOf(groups).some(
        (files) => files.includes('top') && files.includes('bottom') && !files.includes('middle'),
      ),
    )
    assert.equal(groups.length, 2)
  })
})
