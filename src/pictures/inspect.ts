import {
  ALLOWED_IMAGE_TYPES,
  EXTENSIONS,
  findSidesProblem,
  type ImageType,
  MAX_UPLOAD_BYTES,
  UPLOAD_WORDS,
} from '../contract/uploads.ts'
import { isAvif, readAvif } from './avif.ts'
import { type Picture, PictureRefused } from './bytes.ts'
import { isGif, readGif } from './gif.ts'
import { isJpeg, readJpeg } from './jpeg.ts'
import { isPng, readPng } from './png.ts'
import { isXml, readSvg } from './svg.ts'
import { isWebp, readWebp } from './webp.ts'

/** `bytes` is the picture to store, without metadata, comments and trailing data. */
export type InspectedImage =
  | {
      ok: true
      type: ImageType
      extension: string
      width: number
      height: number
      bytes: Uint8Array<ArrayBuffer>
    }
  | { ok: false; msg: string }

/**
 * Validates a picture by its bytes alone, never by the name or type that a client sent. Width and height are in pixels.
 * Never throws. The picture is written within `bytes`, which is changed by it: memory has no room for a copy of each upload.
 */
export function inspectImage(bytes: Uint8Array<ArrayBuffer>): InspectedImage {
  if (bytes.length === 0) return { ok: false, msg: UPLOAD_WORDS.empty }
  if (bytes.length > MAX_UPLOAD_BYTES) return { ok: false, msg: UPLOAD_WORDS.tooLarge }
  const type = ALLOWED_IMAGE_TYPES.find((candidate) => FORMATS[candidate].begins(bytes))
  if (!type) return { ok: false, msg: UPLOAD_WORDS.wrongType }
  try {
    const picture = FORMATS[type].read(bytes)
    const msg = findSidesProblem(picture.width, picture.height)
    return msg === null ? { ok: true, type, extension: EXTENSIONS[type], ...picture } : { ok: false, msg }
  } catch (error) {
    // Any other error, such as reading past the end, means a malformed file.
    return { ok: false, msg: error instanceof PictureRefused ? error.message : UPLOAD_WORDS.damaged }
  }
}

type Format = { begins: (bytes: Uint8Array) => boolean; read: (bytes: Uint8Array<ArrayBuffer>) => Picture }

const FORMATS: Record<ImageType, Format> = {
  'image/png': { begins: isPng, read: readPng },
  'image/gif': { begins: isGif, read: readGif },
  'image/jpeg': { begins: isJpeg, read: readJpeg },
  'image/svg+xml': { begins: isXml, read: readSvg },
  'image/webp': { begins: isWebp, read: readWebp },
  'image/avif': { begins: isAvif, read: readAvif },
}
