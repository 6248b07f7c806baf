import type { Site } from '../../src/site.ts'
import type { Left } from './checks.ts'

/** Whether a site may be deployed: a simulated one always, a live one once nothing is left that has to be mended by hand. */
export function mayDeploy(mode: Site['mode'], left: readonly Left[]): boolean {
  return mode === 'simulated' || left.every(({ mendedBy }) => mendedBy !== 'hand')
}
