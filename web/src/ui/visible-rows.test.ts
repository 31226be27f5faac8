import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rangeAt, scrollTopFor } from './visible-rows.ts'

describe('the rendered rows of a table or a tree', () => {
  it('are the visible ones and twelve on each side', () => {
    assert.deepEqual(rangeAt({ scrollTop: 3600, clientHeight: 720 }, 1000, 36), { first: 88, end: 132 })
  })

  it('end with the first and the last row', () => {
    assert.deepEqual(rangeAt({ scrollTop: 0, clientHeight: 720 }, 1000, 36), { first: 0, end: 32 })
    assert.deepEqual(rangeAt({ scrollTop: 0, clientHeight: 720 }, 3, 36), { first: 0, end: 3 })
  })

  it('are none if a list has become shorter than the scroll position', () => {
    assert.deepEqual(rangeAt({ scrollTop: 90_000, clientHeight: 720 }, 3, 36), { first: 3, end: 3 })
  })
})

describe('scrolling to a row', () => {
  const view = { scrollTop: 360, clientHeight: 393 }

  it('does nothing if the row is visible', () => {
    assert.equal(scrollTopFor(10, view, 36, 33), 360)
    assert.equal(scrollTopFor(19, view, 36, 33), 360)
  })

  it('brings a row above right below the header, and a row below right above the edge', () => {
    assert.equal(scrollTopFor(3, view, 36, 33), 108)
    assert.equal(scrollTopFor(20, view, 36, 33), 396)
    assert.equal(scrollTopFor(20, view, 36), 363)
  })
})
