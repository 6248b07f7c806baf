import { type Site, site } from '../../../src/site.ts'
import type { Database } from '../../lib/database.ts'
import { type Env, isDevelopment, isMoneyReal } from '../../lib/env.ts'
import { runtime } from '../../lib/runtime.ts'
import { type Access, VenueClock } from '../venues/client.ts'
import { COINBASE, Coinbase } from '../venues/coinbase/coinbase.ts'
import { KRAKEN, Kraken } from '../venues/kraken/kraken.ts'
import type { Venue } from '../venues/venue.ts'
import { workAccount } from './account.ts'
import { withCoinIds } from './names.ts'

/** Every exchange that strategies can trade at. */
const VENUES: Readonly<
  Record<string, { readonly base: string; readonly client: (access: Access) => Venue } | undefined>
> = {
  kraken: { base: KRAKEN, client: (access) => new Kraken(access) },
  coinbase: { base: COINBASE, client: (access) => new Coinbase(access) },
}

/** The client of the configured exchange; null if there is none. */
export function venueOf(env: Env): Venue | null {
  const known = VENUES[venueNameOf(env)]
  const { VENUE_KEY: key = '', VENUE_SECRET: secret = '' } = env
  if (known === undefined) return null
  return withCoinIds(known.client({ base: baseOf(env) || known.base, key, secret, clock: new VenueClock() }))
}

/**
 * Whether the settings of the exchange are absent or well formed. Outside development an exchange needs live mode, because simulated
 * money must buy nothing real.
 */
export function isVenueConfigured(env: Env, mode: Site['mode'] = site.mode): boolean {
  const name = venueNameOf(env)
  if (name === '') return true
  const base = baseOf(env)
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
export async function workVenue(env: Env, db: Database): Promise<void> {
  const name = venueNameOf(env)
  if (name === '') return
  if (env.VENUE_ACCOUNT !== undefined) return await env.VENUE_ACCOUNT.getByName(name).work()
  const venue = venueOf(env)
  if (venue !== null) await workAccount({ db, venue, now: runtime.now })
}

/** The configured exchange; empty if there is none. */
export function venueNameOf(env: Env): string {
  return (env.VENUE ?? '').trim().toLowerCase()
}

function baseOf(env: Env): string {
  return (env.VENUE_BASE_URL ?? '').trim().replace(/\/+$/, '')
}
