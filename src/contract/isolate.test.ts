import { expect, it } from 'vitest'
import { isolate } from './isolate.ts'

it('words written from right to left are isolated, and all others stay as they are', () => {
  for (const words of ['محمد', 'דוד 12', 'Ana (آنا)', '٣٤'])
    expect(isolate(words)).toBe(`\u2068${words}\u2069`)
  for (const words of ['', 'Éva Ünal', 'अनन्या', '山田', '🙂', 'GB29 NWBK 6016'])
    expect(isolate(words)).toBe(words)
})
