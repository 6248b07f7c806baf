import { type SQL, sql } from 'drizzle-orm'
import { type Site, site } from '../../../src/site.ts'

/**
 * Which rows of `wallets` investors are sent to: those in use; and once money is real, none that was decided while it was
 * not, since nobody looked at its address as at one that real money goes to.
 */
export function isOffered(mode: Site['mode'] = site.mode): SQL {
  return mode === 'live' ? sql`retired_at IS NULL AND simulated = 0` : sql`retired_at IS NULL`
}
