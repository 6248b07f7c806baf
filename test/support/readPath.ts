/** The points of a path that moves once and then draws relative lines, without the edge of an area. */
export function readPath(path: string): readonly { readonly x: number; readonly y: number }[] {
  const [, startX = '0', startY = '0', steps = ''] = /^M(-?\d+) (-?\d+)l([^V]*)/.exec(path) ?? []
  const numbers = (steps.match(/-?\d+/g) ?? []).map(Number)
  const points = [{ x: Number(startX), y: Number(startY) }]
  for (let place = 0; place < numbers.length; place += 2) {
    const { x, y } = points.at(-1) ?? { x: 0, y: 0 }
    points.push({ x: x + (numbers[place] ?? 0), y: y + (numbers[place + 1] ?? 0) })
  }
  return points
}
