import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bytesIn, safeFile, safeMedia } from './safe-file.ts'

it('playable audio and video are played if they are embedded or files of the service', () => {
  const wav = 'data:audio/wav;base64,UklGRg=='
  assert.deepEqual(safeMedia(wav, 'audio/wav'), { type: 'audio', address: wav })
  assert.deepEqual(safeMedia('/files/abc-1', 'video/mp4'), { type: 'video', address: '/files/abc-1' })
  assert.equal(safeMedia('data:audio/pcm16;base64,AAAA', 'audio/pcm16'), undefined)
  assert.equal(safeMedia('https://tracker.example/1.mp3', 'audio/mpeg'), undefined)
  assert.equal(safeMedia('/files/abc-1', 'application/pdf'), undefined)
  assert.equal(safeMedia(undefined, 'audio/wav'), undefined)
})

it('embedded files are saved, and others followed like links', () => {
  assert.deepEqual(bytesIn('data:application/pdf;base64,AP8='), new Uint8Array([0, 255]))
  for (const address of ['data:text/plain,a', 'data:text/plain;base64,%', 'https://example.com/a', undefined])
    assert.equal(bytesIn(address), undefined)
  assert.equal(safeFile('https://example.com/a'), 'https://example.com/a')
  assert.equal(safeFile('/files/abc-1'), '/files/abc-1')
  assert.equal(safeFile('data:text/html;base64,AAAA'), undefined)
})
