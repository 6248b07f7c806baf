import {
  ALLOWED_IMAGE_TYPES,
  EXTENSIONS,
  type ImageType,
  MAX_UPLOAD_BYTES,
  sidesProblem,
  UPLOAD_WORDS,
} from '../contract/uploads.ts'
import { isAvif, readAvif } from './avif.ts'
import { type Picture, PictureRefused } from './bytes.ts'
import { isGif, readGif } from './gif.ts'
import { isJpeg, readJpeg } from './jpeg.ts'
import { isPng, readPng } from './png.ts'
import { isXml, readSvg } from './svg.ts'
import { isWebp, readWebp } from './webp.ts'

/** `bytes` is what is to be stored: the picture without metadata, comments and anything behind its end. */
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
 * Tells whether a file is a picture that is taken, by its bytes alone: neither a name nor a type that a client sent
 * says anything about it. Width and height are in pixels. Never throws, whatever the bytes are.
 */
export function inspectImage(bytes: Uint8Array): InspectedImage {
  if (bytes.length === 0) return { ok: false, msg: UPLOAD_WORDS.empty }
  if (bytes.length > MAX_UPLOAD_BYTES) return { ok: false, msg: UPLOAD_WORDS.tooLarge }
  const type = ALLOWED_IMAGE_TYPES.find((candidate) => FORMATS[candidate].begins(bytes))
  if (!type) return { ok: false, msg: UPLOAD_WORDS.wrongType }
  try {
    const picture = FORMATS[type].read(bytes)
    const msg = sidesProblem(picture.width, picture.height)
    return msg === null ? { ok: true, type, extension: EXTENSIONS[type], ...picture } : { ok: false, msg }
  } catch (error) {
    // A reader that runs past the end, or into anything else that no well-formed file holds, has found damage.
    return { ok: false, msg: error instanceof PictureRefused ? error.message : UPLOAD_WORDS.damaged }
  }
}

type Format = { begins: (bytes: Uint8Array) => boolean; read: (bytes: Uint8Array) => Picture }

const FORMATS: Record<ImageType, Format> = {
  'image/png': { begins: isPng, read: readPng },
  'image/gif': { begins: isGif, read: readGif },
  'image/jpeg': { begins: isJpeg, read: readJpeg },
  'image/svg+xml': { begins: isXml, read: readSvg },
  'image/webp': { begins: isWebp, read: readWebp },
  'image/avif': { begins: isAvif, read: readAvif },
}
