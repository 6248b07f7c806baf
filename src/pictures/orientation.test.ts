import sharp from 'sharp'
import { expect, it } from 'vitest'
import { inspectImage as inspectInPlace } from './inspect.ts'
import { buildOrientationSegment, readOrientation } from './orientation.ts'
import { copyJpeg, copyPng } from './samples.ts'

/** Inspects a copy: the inspection writes within the bytes, and the samples are shared. */
const inspectImage = (bytes: Uint8Array) => inspectInPlace(new Uint8Array(bytes))

function withSegment(jpeg: Uint8Array, segment: Uint8Array): Uint8Array {
  const whole = new Uint8Array(jpeg.length + segment.length)
  whole.set(jpeg.subarray(0, 2))
  whole.set(segment, 2)
  whole.set(jpeg.subarray(2), 2 + segment.length)
  return whole
}

/** As a phone writes it, little-endian, the orientation behind the maker's name. */
function phoneSegment(orientation: number): Uint8Array {
  const tiff = [
    0x49,
    0x49,
    42,
    0,
    8,
    0,
    0,
    0,
    2,
    0,
    0x0f,
    0x01,
    2,
    0,
    4,
    0,
    0,
    0,
    0x41,
    0x63,
    0x6d,
    0,
    0x12,
    0x01,
    3,
    0,
    1,
    0,
    0,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]
  return Uint8Array.from([0xff, 0xe1, 0, tiff.length + 8, 0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff])
}

it('a turned picture stays turned, without the rest of what the phone wrote', () => {
  for (const orientation of [3, 6, 8]) {
    const inspected = inspectImage(withSegment(copyJpeg(), phoneSegment(orientation)))
    if (!inspected.ok) throw new Error(inspected.msg)
    const text = new TextDecoder('latin1').decode(inspected.bytes)
    expect(text).not.toContain('Acm')
    expect(readOrientation(inspected.bytes.subarray(2))).toBe(orientation)
    expect(inspected.bytes.length).toBe(inspectedLength(copyJpeg()) + 36)
  }
})

it('a turned PNG stays turned, without the rest of its EXIF', async () => {
  for (const orientation of [3, 6, 8]) {
    const turned = await sharp(copyPng())
      .withExif({ IFD0: { Make: 'Acme' } })
      .withMetadata({ orientation })
      .png()
      .toBuffer()
    const inspected = inspectImage(turned)
    if (!inspected.ok) throw new Error(inspected.msg)
    expect(new TextDecoder('latin1').decode(inspected.bytes)).not.toContain('Acm')
    expect(await sharp(inspected.bytes).metadata()).toMatchObject({ format: 'png', orientation, width: 48 })
    expect(inspectImage(inspected.bytes)).toEqual(inspected)
  }
})

it('an upright picture, or one whose EXIF makes no sense, carries none', () => {
  for (const segment of [
    phoneSegment(1),
    phoneSegment(9),
    phoneSegment(6)
      .subarray(0, 22)
      .map((byte, i) => (i === 3 ? 20 : byte)),
  ]) {
    const inspected = inspectImage(withSegment(copyJpeg(), segment))
    expect(inspected.ok && inspected.bytes.length).toBe(inspectedLength(copyJpeg()))
  }
})

it('what is written is what is read', () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    expect(readOrientation(buildOrientationSegment(orientation))).toBe(orientation)
  }
})

function inspectedLength(bytes: Uint8Array): number {
  const inspected = inspectImage(bytes)
  return inspected.ok ? inspected.bytes.length : -1
}
