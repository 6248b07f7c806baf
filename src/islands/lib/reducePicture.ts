import { findSidesProblem, MAX_SIDE, MAX_UPLOAD_BYTES, uploadProblem } from '../../contract/uploads.ts'

/** Longest side in pixels and quality of the JPEG, from the best on. Small print of a document stays legible at the last one. */
const STEPS = [
  [6000, 0.9],
  [4500, 0.85],
  [3200, 0.8],
  [2400, 0.75],
] as const

/** Smaller files have no side above the limit, unless somebody made them so. */
const CERTAINLY_FINE_BYTES = 1024 * 1024

/** Whether a picture may be too large to upload. */
export function mayNeedReduction(file: File): boolean {
  return file.size > CERTAINLY_FINE_BYTES || (file.size > 0 && uploadProblem(file) !== null)
}

/**
 * Makes a picture small enough to upload, in this browser: as a JPEG of at most 8 MB and 10,000 pixels a side. Returns the same file
 * if it is small enough, and also if the browser cannot show it: then the contract's rules say what is wrong.
 */
export async function reducePicture(file: File): Promise<File> {
  const bitmap = await readBitmap(file)
  if (bitmap === null) return file
  try {
    const longest = Math.max(bitmap.width, bitmap.height)
    if (uploadProblem(file) === null && longest <= MAX_SIDE) return file
    for (const [side, quality] of STEPS) {
      const scale = Math.min(1, side / longest)
      const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
      if (findSidesProblem(width, height) !== null) return file
      const picture = await drawJpeg(bitmap, width, height, quality)
      if (picture !== null && picture.size <= MAX_UPLOAD_BYTES)
        return new File([picture], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, {
          type: 'image/jpeg',
          lastModified: file.lastModified,
        })
    }
    return file
  } finally {
    bitmap.close()
  }
}

/** The picture, turned as its EXIF says, or null if the browser cannot read it. */
function readBitmap(file: File): Promise<ImageBitmap | null> {
  return createImageBitmap(file).catch(() => null)
}

/** Null if the browser has no memory for a picture of this size. */
function drawJpeg(bitmap: ImageBitmap, width: number, height: number, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return Promise.resolve(null)
  // A JPEG has no transparency: it would become black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}
