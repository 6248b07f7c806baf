/**
 * "Chrome on Windows" from what a browser calls itself. It may call itself anything, so this helps to recognise one's
 * own and proves nothing.
 */
export function deviceWords(userAgent: string | null): string {
  if (!userAgent) return 'Unknown program'
  const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0]
  if (browser === undefined) return userAgent.split(/[/\s(]/, 1)[0]?.slice(0, 40) || 'Unknown program'
  return system === undefined ? browser : `${browser} on ${system}`
}

// In this order: most call themselves by the names of those below, too.
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
