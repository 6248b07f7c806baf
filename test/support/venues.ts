import { type Access, type VenueClient, VenueClock } from '../../worker/investing/venues/client.ts'
import { COINBASE, Coinbase } from '../../worker/investing/venues/coinbase/coinbase.ts'
import { KRAKEN, Kraken } from '../../worker/investing/venues/kraken/kraken.ts'
import { setRuntime } from '../../worker/lib/runtime.ts'
import {
  type Credentials,
  createVenue,
  type Venue,
  type VenueName,
  type VenueOptions,
} from '../venues/venue.ts'

/** A client and a simulated exchange that it talks to without a socket, under one clock. */
export interface Meeting {
  readonly venue: Venue
  readonly client: VenueClient
  readonly access: Access
  now(): number
  /** Lets time pass. */
  pass(ms: number): void
  /** Another client of the same exchange. */
  clientWith(credentials: Credentials): VenueClient
  /** How long clients waited for their budgets. */
  waitedMs(): number
}

/** Changes the results of calls whose path ends with a name. For Kraken, `result` is what its envelope contains. */
export function changeResults(
  venue: Venue,
  call: string,
  change: (result: Record<string, unknown>) => unknown,
): void {
  const answer = venue.fetch
  Object.assign(venue, {
    fetch: async (request: Request) => {
      const response = await answer(request)
      if (!new URL(request.url).pathname.endsWith(`/${call}`)) return response
      const body = await response.json<Record<string, unknown>>()
      const isKraken = venue.name === 'kraken'
      const result = change((isKraken ? body.result : body) as Record<string, unknown>)
      return Response.json(isKraken ? { error: [], result } : result)
    },
  })
}

/** Answers each call whose path ends with a name with an error of Kraken. */
export function answerError(venue: Venue, call: string, error: string): void {
  const answer = venue.fetch
  Object.assign(venue, {
    fetch: async (request: Request) =>
      new URL(request.url).pathname.endsWith(`/${call}`)
        ? Response.json({ error: [error] })
        : await answer(request),
  })
}

const START = Date.UTC(2026, 10, 20, 12)

/** Runs a test with a client at a simulated exchange. The runtime is replaced meanwhile. */
export async function meet(
  name: VenueName,
  options: VenueOptions,
  work: (meeting: Meeting) => Promise<void>,
): Promise<void> {
  let now = START
  let waitedMs = 0
  const venue = createVenue(name, { seed: 7, likelihood: 1, ...options, clock: () => now })
  const createAccess = ({ key, secret }: Credentials): Access => {
    const base = name === 'kraken' ? KRAKEN : COINBASE
    return { base, key, secret, clock: new VenueClock() }
  }
  const createClient = (access: Access) => (name === 'kraken' ? new Kraken(access) : new Coinbase(access))
  const restore = setRuntime({
    now: () => now,
    wait: async (ms) => {
      now += ms
      waitedMs += ms
    },
    timeout: () => new AbortController().signal,
    fetch: (address, init) => venue.fetch(new Request(address, init)),
  })
  try {
    const access = createAccess(venue.credentials)
    const client = createClient(access)
    if (options.faults === undefined) await client.time()
    await work({
      venue,
      client,
      access,
      now: () => now,
      pass: (ms) => {
        now += ms
        venue.exchange.settle()
      },
      clientWith: (credentials) => createClient(createAccess(credentials)),
      waitedMs: () => waitedMs,
    })
  } finally {
    restore()
  }
}
