/** The largest picture accepted, in bytes. The multipart body around it may be a little larger. */
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024

/** Shortest and longest side of a picture, in pixels. */
const MIN_SIDE = 32
export const MAX_SIDE = 10_000

export const ALLOWED_IMAGE_TYPES = [
  'image/png',
  'image/gif',
  'image/jpeg',
  'image/svg+xml',
  'image/webp',
  'image/avif',
] as const
export type ImageType = (typeof ALLOWED_IMAGE_TYPES)[number]

/** The media type of documents that need not be pictures. */
export const PDF_TYPE = 'application/pdf'

/** The media type of a file that the browser encrypted with `age` (https://age-encryption.org/v1). */
export const AGE_TYPE = 'application/age'

export const EXTENSIONS: Record<ImageType, string> = {
  'image/png': 'png',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/** The addresses of our own sample pictures, with which people practise while money is simulated. */
export const SAMPLE_PICTURES = {
  passport: '/samples/passport.svg',
  bill: '/samples/bill.svg',
  receipt: '/samples/receipt.svg',
} as const

/** The errors for a refused picture, shared by the browser (before sending) and the server. */
export const UPLOAD_WORDS = {
  missing: 'Please attach a picture',
  several: 'Please attach one picture only',
  severalDocuments: 'Please attach one document only',
  empty: 'This file is empty. Please choose another one',
  tooLarge: 'This file is larger than 8 MB. Please choose a smaller one',
  heic: 'Few browsers can show HEIC pictures. Please save it as a JPEG, or set your camera to JPEG, and choose that',
  wrongDocumentType: 'Please choose a PDF, or a PNG, GIF, JPEG, SVG, WebP or AVIF picture',
  damagedPdf: 'This PDF is damaged or incomplete. Please choose another one',
  wrongType: 'Please choose a PNG, GIF, JPEG, SVG, WebP or AVIF picture',
  damaged: 'This picture is damaged or incomplete. Please choose another one',
  tooSmall: 'This picture is too small. Each side must be at least 32 pixels',
  tooBig: 'This picture is too big. Each side may be at most 10,000 pixels',
  unsafe: 'This SVG contains scripts, links or external content. Please save it as a PNG and choose that',
} as const

/**
 * Checks a file's size and the type that the browser reports, before it is read. Returns the error or null. Only a
 * convenience for people: the server checks the bytes.
 */
export function uploadProblem(file: { size: number; type: string; name?: string }): string | null {
  if (file.size === 0) return UPLOAD_WORDS.empty
  // Phones make HEIC pictures. A size error first would mislead, because a smaller HEIC is refused too.
  if (/^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name ?? '')) return UPLOAD_WORDS.heic
  if (file.size > MAX_UPLOAD_BYTES) return UPLOAD_WORDS.tooLarge
  if (!isImageType(file.type)) return UPLOAD_WORDS.wrongType
  return null
}

/** The same for a document, which is a picture or a PDF. */
export function findDocumentProblem(file: { size: number; type: string; name?: string }): string | null {
  const problem = uploadProblem(file)
  if (problem !== UPLOAD_WORDS.wrongType) return problem
  return file.type === PDF_TYPE ? null : UPLOAD_WORDS.wrongDocumentType
}

/** Returns the error for these dimensions in pixels, or null. */
export function findSidesProblem(width: number, height: number): string | null {
  if (width < MIN_SIDE || height < MIN_SIDE) return UPLOAD_WORDS.tooSmall
  if (width > MAX_SIDE || height > MAX_SIDE) return UPLOAD_WORDS.tooBig
  return null
}

function isImageType(type: string): type is ImageType {
  return (ALLOWED_IMAGE_TYPES as readonly string[]).includes(type)
}
