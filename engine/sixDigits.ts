/** A positive number rounded to six significant digits, as the nearest number that is written with no more of them. */
export function sixDigits(value: number): number {
  // Powers of ten are whole numbers here, so that both the scaling back and what a decimal notation is read as round once.
  if (value >= 1e6) {
    let unit = 10
    while (value / unit >= 1e6) unit *= 10
    return Math.round(value / unit) * unit
  }
  let scale = 1
  while (value * scale < 1e5) scale *= 10
  return Math.round(value * scale) / scale
}
