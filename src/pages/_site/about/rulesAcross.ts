export type Point = readonly [x: number, y: number]

export interface ColumnRule {
  from: number
  to: number
  step: number
}

/** Shorter lines are left out. */
const SHORTEST = 2

/**
 * Horizontal lines through the inside of closed rings, as SVG path data. Points in an even number of rings are
 * outside. Horizontal positions are rounded.
 */
export function drawRules(rings: readonly (readonly Point[])[], { from, to, step }: ColumnRule): string {
  const rules: string[] = []
  for (let y = from; step > 0 ? y <= to : y >= to; y += step) {
    const across = findCrossings(rings, y)
    for (let i = 0; i + 1 < across.length; i += 2) {
      const [start, end] = [Math.round(across[i] ?? 0), Math.round(across[i + 1] ?? 0)]
      if (end - start >= SHORTEST) rules.push(`M${start} ${y}H${end}`)
    }
  }
  return rules.join('')
}

/** The x positions at which the rings cross a height, in order. A corner on that height counts for the edge below it. */
function findCrossings(rings: readonly (readonly Point[])[], y: number): number[] {
  return rings
    .flatMap((ring) =>
      ring.flatMap(([x1, y1], index) => {
        const [x2, y2] = ring[(index + 1) % ring.length] ?? [x1, y1]
        return y1 > y === y2 > y ? [] : [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)]
      }),
    )
    .sort((a, b) => a - b)
}
