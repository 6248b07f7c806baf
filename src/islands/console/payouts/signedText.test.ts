import { expect, test } from 'vitest'
import { readSignedText } from './signedText.ts'

test('a binary PSBT becomes base64', async () => {
  const psbt = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff, 0x01, 0xfe, 0x00, 0x80)
  expect(await readSignedText(new Blob([psbt]))).toBe('cHNidP8B/gCA')
})

test('a file of text is its text without blanks around it', async () => {
  expect(await readSignedText(new Blob(['cHNidP8B/gCA\n']))).toBe('cHNidP8B/gCA')
  expect(await readSignedText(new Blob([' UR:CRYPTO-PSBT/1-2/AB ']))).toBe('UR:CRYPTO-PSBT/1-2/AB')
})
