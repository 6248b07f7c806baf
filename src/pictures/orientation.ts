import { createView, decodeLatin1 } from './bytes.ts'

const ORIENTATION_TAG = 0x0112
const SHORT = 3

/** The orientation (1 to 8; EXIF 2.3, tag 0x0112) in a JPEG's EXIF segment; 1 if missing or invalid. */
export function readOrientation(exifSegment: Uint8Array): number {
  if (decodeLatin1(exifSegment, 4, 6) !== 'Exif\0\0') return 1
  const tiff = exifSegment.subarray(10)
  const data = createView(tiff)
  try {
    const little = decodeLatin1(tiff, 0, 2) === 'II'
    const directory = data.getUint32(4, little)
    const entries = Math.min(data.getUint16(directory, little), 200)
    for (let i = 0; i < entries; i++) {
      const at = directory + 2 + 12 * i
      if (data.getUint16(at, little) !== ORIENTATION_TAG || data.getUint16(at + 2, little) !== SHORT) continue
      const value = data.getUint16(at + 8, little)
      return value >= 1 && value <= 8 ? value : 1
    }
  } catch {
    // A truncated segment has no orientation.
  }
  return 1
}

/** An EXIF segment with only this orientation: without it, phone pictures would be rotated. */
export function buildOrientationSegment(orientation: number): Uint8Array {
  const segment = new Uint8Array(36)
  const data = createView(segment)
  data.setUint16(0, 0xffe1)
  data.setUint16(2, 34)
  segment.set([0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d], 4) // "Exif", big-endian
  data.setUint16(12, 42)
  data.setUint32(14, 8)
  data.setUint16(18, 1)
  data.setUint16(20, ORIENTATION_TAG)
  data.setUint16(22, SHORT)
  data.setUint32(24, 1)
  data.setUint16(28, orientation)
  return segment
}
