import { describe, expect, it } from 'vitest'
import { copyJpeg, copyPng, copySvg } from '../../../pictures/samples.ts'
import { newKeyPair, seal } from '../../lib/age/age.ts'
import { openPicture } from './openPicture.ts'

const ana = await newKeyPair()
const sealedToAna = async (bytes: Uint8Array) => new Blob([await seal(bytes, [ana.recipient])])
const opened = async (sealed: Blob) => openPicture(sealed, ana.identity)
const words = (text: string) => new TextEncoder().encode(text)

describe('an encrypted document', () => {
  it('opens as the picture that it is, whatever it was said to be', async () => {
    expect(await opened(await sealedToAna(copyPng()))).toMatchObject({ type: 'image/png' })
    expect(await opened(await sealedToAna(copySvg()))).toMatchObject({ type: 'image/svg+xml' })
    const jpeg = await opened(await sealedToAna(copyJpeg()))
    expect(jpeg.type).toBe('image/jpeg')
    expect(await jpeg.text()).not.toContain('SECRET PLACE')
  })

  it('is not shown when it is a page, a script in a drawing, or anything but a picture', async () => {
    for (const text of [
      '<!doctype html><script>alert(1)</script>',
      '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><script>alert(1)</script></svg>',
      '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" onload="alert(1)"/>',
      '%PDF-1.7',
      '',
    ])
      await expect(opened(await sealedToAna(words(text))), text).rejects.toMatchObject({ code: 'no_picture' })
  })

  it('says that it is not sealed to this reviewer, or that it was altered', async () => {
    const ben = await newKeyPair()
    const sealed = await sealedToAna(copyPng())
    await expect(openPicture(sealed, ben.identity)).rejects.toMatchObject({ code: 'not_sealed_to_you' })
    await expect(opened(sealed.slice(0, -1))).rejects.toMatchObject({ code: 'altered' })
  })
})
