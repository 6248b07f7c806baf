import { damaged } from './bytes.ts'

/**
 * The size of an SVG in CSS pixels, from its root's `width`, `height` and `viewBox` (each may be empty). The box
 * supplies missing sides; without any of them the file is refused.
 */
export function sizeOfSvg(width: string, height: string, viewBox: string): { width: number; height: number } {
  const across = pixels(width)
  const down = pixels(height)
  const box = boxOf(viewBox)
  if (across !== null && down !== null) return rounded(across, down)
  if (!box) throw damaged()
  if (across !== null) return rounded(across, (across * box.height) / box.width)
  if (down !== null) return rounded((down * box.width) / box.height, down)
  return rounded(box.width, box.height)
}

const PIXELS: Record<string, number> = { px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 }
const NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?'
const LENGTH = new RegExp(`^\\s*(${NUMBER})(px|pt|pc|mm|cm|in)?\\s*$`, 'i')
const MAX_LENGTH = 100

/** Null for relative lengths, such as percentages. */
function pixels(length: string): number | null {
  if (length.length > MAX_LENGTH) throw damaged()
  const [, number, unit = 'px'] = LENGTH.exec(length) ?? []
  return number === undefined ? null : Number(number) * (PIXELS[unit.toLowerCase()] ?? 1)
}

function boxOf(viewBox: string): { width: number; height: number } | null {
  if (viewBox.length > MAX_LENGTH) throw damaged()
  const numbers = viewBox.trim().split(/[\s,]+/)
  if (numbers.length !== 4 || !numbers.every((number) => LENGTH.test(number))) return null
  const [, , width = 0, height = 0] = numbers.map(Number)
  return width > 0 && height > 0 ? { width, height } : null
}

function rounded(width: number, height: number) {
  return { width: Math.round(width), height: Math.round(height) }
}
