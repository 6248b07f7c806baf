/** Rounds a positive number to six significant digits. */
export function roundToSixDigits(value: number): number {
  // Powers of ten are whole numbers here, so only one step rounds.
  if (value >= 1e6) {
    let unit = 10
    while (value / unit >= 1e6) unit *= 10
    return Math.round(value / unit) * unit
  }
  let scale = 1
  while (value * scale < 1e5) scale *= 10
  return Math.round(value * scale) / scale
}
