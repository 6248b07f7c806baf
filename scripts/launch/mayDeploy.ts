import type { Site } from '../../src/site.ts'
import type { Left } from './checks.ts'

/**
 * Whether a site may be deployed: a simulated one always, a live one once nothing is left that has to be mended before. Onto a database
 * that was restored it may be while that lacks what only a running Worker gives it.
 */
export function mayDeploy(mode: Site['mode'], left: readonly Left[], { isRestored = false } = {}): boolean {
  return (
    mode === 'simulated' ||
    left.every(({ mendedBy }) => mendedBy !== 'hand' && (mendedBy !== 'running' || isRestored))
  )
}
