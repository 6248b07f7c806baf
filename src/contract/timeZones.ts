// Computes with time zones, and formats nothing for people. Apart from `dates.ts`, which public pages load.

const zoneFormats = new Map<string, Intl.DateTimeFormat>()

/** How far a zone's clock is ahead of UTC at a moment, in milliseconds. */
export function readZoneOffset(atMs: number, zone: string): number {
  const format =
    zoneFormats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  zoneFormats.set(zone, format)
  return Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`) - Math.floor(atMs / 1000) * 1000
}

/** Whether a text names a time zone of the IANA database, such as Europe/Lisbon. Offsets such as +01:00 do not. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null
  } catch {
    return false
  }
}
