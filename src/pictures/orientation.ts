import { joinBytes } from '../contract/bytes.ts'
import { createView, decodeLatin1 } from './bytes.ts'

const ORIENTATION_TAG = 0x0112
const SHORT = 3

/** The orientation (1 to 8; EXIF 2.3, tag 0x0112) in a JPEG's EXIF segment; 1 if missing or invalid. */
export function readOrientation(exifSegment: Uint8Array): number {
  return decodeLatin1(exifSegment, 4, 6) === 'Exif\0\0' ? readTiffOrientation(exifSegment.subarray(10)) : 1
}

/** The same in EXIF alone, as a PNG has it. */
export function readTiffOrientation(tiff: Uint8Array): number {
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
  const header = Uint8Array.of(0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0) // "Exif"
  return joinBytes([header, buildTiffOrientation(orientation)])
}

/** EXIF with only this orientation, as a PNG has it. */
export function buildTiffOrientation(orientation: number): Uint8Array {
  const tiff = new Uint8Array(26)
  const data = createView(tiff)
  data.setUint16(0, 0x4d4d) // big-endian
  data.setUint16(2, 42)
  data.setUint32(4, 8)
  data.setUint16(8, 1)
  data.setUint16(10, ORIENTATION_TAG)
  data.setUint16(12, SHORT)
  data.setUint32(14, 1)
  data.setUint16(18, orientation)
  return tiff
}
