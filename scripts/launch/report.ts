import type { Left } from './checks.ts'

/** What is left, each check once with how to mend it. */
export function reportOf(left: readonly Left[]): string {
  if (left.length === 0) return 'Nothing is left: the site may go live.'
  const checks = [...new Set(left.map(({ check }) => check))]
  return [
    `${left.length} things are left before real money may move:`,
    ...checks.flatMap((check) => {
      const found = left.filter((one) => one.check === check)
      return ['', check, ...found.map(({ what }) => `  ✗ ${what}`), `  → ${found[0]?.mend}`]
    }),
  ].join('\n')
}
