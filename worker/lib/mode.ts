import { type Site, site } from '../../src/site.ts'
import { type Env, isDevelopment } from './env.ts'

/** Whether investors' real money moves: live mode, outside development. */
export function isMoneyReal(env: Env, mode: Site['mode'] = site.mode): boolean {
  return mode === 'live' && !isDevelopment(env)
}
