/** Each value's distance below the highest before it, as a share: 0 at a new height, −0.25 a quarter below. */
export function drawdowns(values: readonly number[], capital: number): number[] {
  let peak = capital
  return values.map((value) => {
    peak = Math.max(peak, value)
    return value / peak - 1
  })
}

export interface Fall {
  /** As a share, 0 or negative. */
  share: number
  /** The height it began from, which is the capital itself if no value rose above it, and its lowest point. */
  from: number
  to: number
  /** The place of that lowest point among the values. */
  at: number
}

/** The deepest fall from a height, counting the capital as the first one. Of equal falls it is the earliest. */
export function worstFall(values: readonly number[], capital: number): Fall {
  const worst = drawdowns(values, capital).reduce<Fall>(
    (deepest, share, at) =>
      share < deepest.share ? { share, from: 0, to: values[at] ?? capital, at } : deepest,
    { share: 0, from: capital, to: capital, at: 0 },
  )
  return { ...worst, from: Math.max(capital, ...values.slice(0, worst.at + 1)) }
}
