/** Whole units of 10^-decimals as exact decimal text, without zeros at the end. */
export function formatDecimal(units: bigint | number, decimals: number): string {
  const whole = BigInt(units)
  const digits = (whole < 0n ? -whole : whole).toString().padStart(decimals + 1, '0')
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
  return whole < 0n ? `-${text}` : text
}
