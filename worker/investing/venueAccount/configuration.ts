import { type Site, site } from '../../../src/site.ts'
import type { Database } from '../../lib/database.ts'
import { type Env, isDevelopment, isMoneyReal } from '../../lib/env.ts'
import { runtime } from '../../lib/runtime.ts'
import { type Access, VenueClock } from '../venues/client.ts'
import type { Venue } from '../venues/venue.ts'
import { processAccount } from './account.ts'
import { withCoinIds } from './names.ts'

/** Every exchange that strategies can trade at. Its client loads when it is used, because most installations trade at none. */
const VENUES: Readonly<Record<string, ((access: Access) => Promise<Venue>) | undefined>> = {
  kraken: async (access) => {
    const { KRAKEN, Kraken } = await import('../venues/kraken/kraken.ts')
    return new Kraken({ ...access, base: access.base || KRAKEN })
  },
  coinbase: async (access) => {
    const { COINBASE, Coinbase } = await import('../venues/coinbase/coinbase.ts')
    return new Coinbase({ ...access, base: access.base || COINBASE })
  },
}

/** The client of the configured exchange; null if there is none. */
export async function openConfiguredVenue(env: Env): Promise<Venue | null> {
  const { VENUE_KEY: key = '', VENUE_SECRET: secret = '' } = env
  const openVenue = VENUES[getVenueName(env)]
  if (openVenue === undefined) return null
  return withCoinIds(await openVenue({ base: getVenueBase(env), key, secret, clock: new VenueClock() }))
}

/**
 * Whether the settings of the exchange are absent or well formed. Outside development an exchange needs live mode, because simulated
 * money must not buy real assets.
 */
export function isVenueConfigured(env: Env, mode: Site['mode'] = site.mode): boolean {
  const name = getVenueName(env)
  if (name === '') return true
  const base = getVenueBase(env)
  const url = URL.canParse(base) ? new URL(base) : null
  return (
    Object.hasOwn(VENUES, name) &&
    name === (env.CANDLES_PROVIDER ?? '').trim().toLowerCase() &&
    (base === '' || url?.protocol === 'https:' || (isDevelopment(env) && url?.protocol === 'http:')) &&
    Boolean(env.VENUE_KEY) &&
    Boolean(env.VENUE_SECRET) &&
    (isDevelopment(env) || (isMoneyReal(env, mode) && env.VENUE_ACCOUNT !== undefined))
  )
}

/** The minute's work at the exchange, by its one sender. */
export async function processVenue(env: Env, db: Database): Promise<void> {
  const name = getVenueName(env)
  if (name === '') return
  if (env.VENUE_ACCOUNT !== undefined) return await env.VENUE_ACCOUNT.getByName(name).work()
  const venue = await openConfiguredVenue(env)
  if (venue !== null) await processAccount({ db, venue, now: runtime.now })
}

/** The configured exchange; empty if there is none. */
export function getVenueName(env: Env): string {
  return (env.VENUE ?? '').trim().toLowerCase()
}

function getVenueBase(env: Env): string {
  return (env.VENUE_BASE_URL ?? '').trim().replace(/\/+$/, '')
}
