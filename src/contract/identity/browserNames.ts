// Order matters: most browsers also claim the names of those below them.
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]

const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/**
 * Describes a user agent, as in "Chrome on Windows"; null for an unknown browser. The result only ever contains names
 * of these lists, so an attacker cannot put text into our mails. A user agent can be faked and is no proof.
 */
export function describeBrowser(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0]
  if (browser === undefined) return null
  return system === undefined ? browser : `${browser} on ${system}`
}
