import { describe, expect, it } from 'vitest'
import { computeRecipientFingerprint } from '../../../contract/identity/kyc.ts'
import { AGE_TYPE, MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../../../contract/uploads.ts'
import { inspectImage } from '../../../pictures/inspect.ts'
import { copyJpeg, copyPng, copySvg } from '../../../pictures/samples.ts'
import { newKeyPair, open } from '../../lib/age/age.ts'
import { sealDocument } from './sealDocument.ts'

const keyOf = async (name: string) => {
  const { identity, recipient } = await newKeyPair()
  return { identity, recipient: { recipient, name, fingerprint: 'as the server says' } }
}
const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())
const words = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)

describe('a document before it is sent', () => {
  it('is encrypted to each key, under no name of its own, and named by fingerprints that the browser worked out', async () => {
    const [ana, ben] = [await keyOf('Ana'), await keyOf('Ben')]
    const sealed = await sealDocument(new File([copyPng()], 'Ana Torres.png'), [ana.recipient, ben.recipient])
    if (!sealed.ok) throw new Error(sealed.msg)
    expect(sealed.file).toMatchObject({ name: 'document.age', type: AGE_TYPE })
    expect(sealed.fingerprints).toEqual([
      await computeRecipientFingerprint(ana.recipient.recipient),
      await computeRecipientFingerprint(ben.recipient.recipient),
    ])
    expect(sealed.pictureHash).toMatch(/^[0-9a-f]{64}$/)
    const bytes = await bytesOf(sealed.file)
    expect(words(bytes)).not.toContain('IHDR')
    for (const { identity } of [ana, ben])
      expect(inspectImage(await open(bytes, identity))).toMatchObject({
        ok: true,
        type: 'image/png',
        width: 48,
      })
  })

  it('loses where it was taken and by whom', async () => {
    const ana = await keyOf('Ana')
    expect(words(copyJpeg())).toContain('SECRET PLACE')
    const sealed = await sealDocument(new Blob([copyJpeg()]), [ana.recipient])
    if (!sealed.ok) throw new Error(sealed.msg)
    const opened = words(await open(await bytesOf(sealed.file), ana.identity))
    expect(opened.length).toBeGreaterThan(200)
    expect(opened).not.toMatch(/SECRET|Exif/)
  })

  it('is refused when it is no picture that is taken, whatever it calls itself', async () => {
    const { recipient } = await keyOf('Ana')
    const refused = async (...parts: BlobPart[]) =>
      sealDocument(new File(parts, 'a.png', { type: 'image/png' }), [recipient])
    expect(await refused('plain words')).toEqual({ ok: false, msg: UPLOAD_WORDS.wrongType })
    expect(await refused(words(copySvg()).replace('<rect', '<script/><rect'))).toEqual({
      ok: false,
      msg: UPLOAD_WORDS.unsafe,
    })
    expect(await refused(copyPng().subarray(0, 60))).toEqual({ ok: false, msg: UPLOAD_WORDS.damaged })
    expect(await refused(new Uint8Array(MAX_UPLOAD_BYTES + 1))).toEqual({
      ok: false,
      msg: UPLOAD_WORDS.tooLarge,
    })
  })

  it('is refused when what encrypting adds makes it larger than what is taken', async () => {
    const { recipient } = await keyOf('Ana')
    const drawing = words(copySvg()).replace(
      '<rect',
      `<path d="${'M0 0'.repeat(MAX_UPLOAD_BYTES / 4 - 50)}"/><rect`,
    )
    expect(drawing.length).toBeLessThan(MAX_UPLOAD_BYTES)
    expect(await sealDocument(new Blob([drawing]), [recipient])).toEqual({
      ok: false,
      msg: UPLOAD_WORDS.tooLarge,
    })
  })
})
