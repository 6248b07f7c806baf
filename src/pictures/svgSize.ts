import { createDamagedError } from './bytes.ts'

/**
 * The size of an SVG in CSS pixels, from its root's `width`, `height` and `viewBox` (each may be empty). The box
 * supplies missing sides; without any of them the file is refused.
 */
export function computeSvgSize(
  width: string,
  height: string,
  viewBox: string,
): { width: number; height: number } {
  const across = parsePixels(width)
  const down = parsePixels(height)
  const box = parseViewBox(viewBox)
  if (across !== null && down !== null) return roundSize(across, down)
  if (!box) throw createDamagedError()
  if (across !== null) return roundSize(across, (across * box.height) / box.width)
  if (down !== null) return roundSize((down * box.width) / box.height, down)
  return roundSize(box.width, box.height)
}

const PIXELS: Record<string, number> = { px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 }
const NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?'
const LENGTH = new RegExp(`^\\s*(${NUMBER})(px|pt|pc|mm|cm|in)?\\s*$`, 'i')
const MAX_LENGTH = 100

/** Null for relative lengths, such as percentages. */
function parsePixels(length: string): number | null {
  if (length.length > MAX_LENGTH) throw createDamagedError()
  const [, number, unit = 'px'] = LENGTH.exec(length) ?? []
  return number === undefined ? null : Number(number) * (PIXELS[unit.toLowerCase()] ?? 1)
}

function parseViewBox(viewBox: string): { width: number; height: number } | null {
  if (viewBox.length > MAX_LENGTH) throw createDamagedError()
  const numbers = viewBox.trim().split(/[\s,]+/)
  if (numbers.length !== 4 || !numbers.every((number) => LENGTH.test(number))) return null
  const [, , width = 0, height = 0] = numbers.map(Number)
  return width > 0 && height > 0 ? { width, height } : null
}

function roundSize(width: number, height: number) {
  return { width: Math.round(width), height: Math.round(height) }
}
