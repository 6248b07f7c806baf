import { createHash } from 'node:crypto'
import { coinbase } from './coinbase.ts'
import { type Account, Exchange, type Mode, type Rules } from './exchange.ts'
import { type Fault, Faults } from './faults.ts'
import { kraken } from './kraken.ts'

export const VENUES = { kraken, coinbase } as const
export type VenueName = keyof typeof VENUES

export interface VenueOptions {
  /** The prices, the keys and the faults follow from it. */
  readonly seed?: number
  readonly faults?: readonly Fault[]
  /** How often a fault happens where it can, from 0 to 1. */
  readonly likelihood?: number
  /** Epoch milliseconds. */
  readonly clock?: () => number
  /** A number in [0, 1), for the faults. */
  readonly chance?: () => number
  /** Whether rate limits hold. */
  readonly hasLimits?: boolean
}

export interface Credentials {
  readonly key: string
  readonly secret: string
}

export interface KeyOptions {
  /** Whether the key may also withdraw. */
  readonly canWithdraw?: boolean
  /** Whether it may place and cancel orders. True by default. */
  readonly canTrade?: boolean
  /** Kraken: a permission that the key lacks. */
  readonly lacks?: string
  /** Coinbase: the kind of its signature. */
  readonly algorithm?: 'ES256' | 'EdDSA'
  /** Kraken: how far a nonce may stand behind the highest one. */
  readonly nonceWindow?: number
}

/** A simulated exchange with the protocol of a real one. */
export interface Venue {
  readonly name: VenueName
  /** The key of the first account. */
  readonly credentials: Credentials
  readonly exchange: Exchange
  /** The first account as it really is, also where the lists do not show it yet. */
  readonly account: Account
  /** How far its clock is ahead of the given one, in milliseconds. */
  readonly skewMs: number
  /** Answers like the exchange's server. Rejects with a `ConnectionCut` where a connection would be cut. */
  fetch(request: Request): Promise<Response>
  /** Adds a key for the first account, or for a new one. */
  newKey(options?: KeyOptions & { readonly isNewAccount?: boolean }): Credentials
  /** Sets the trading mode. Null leaves it to the faults. */
  setMode(mode: Mode | null): void
  /** Switches faults. `clock` only counts at the creation: a clock that is put back would stand still. */
  setFaults(faults: readonly Fault[], likelihood?: number): void
}

/** A request as a protocol reads it. */
export interface Asked {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

/** What the two protocols have in common: who asks is checked first, then the request is carried out. */
export interface Protocol {
  /** The account that asks, null for a public call, or the answer that refuses it. */
  authenticate(asked: Asked): { readonly account: Account | null } | Answer
  carryOut(asked: Asked, account: Account | null, receivedAt: number): Answer
  /** Whether the request changes something. */
  isWrite(asked: Asked): boolean
  newKey(account: Account, options: KeyOptions): Credentials
  /** The answer of a service that is overloaded. */
  busy(draw: number): Answer
}

/** What a protocol gets to work with. */
export interface Ground {
  readonly exchange: Exchange
  readonly hasLimits: boolean
  /** Bytes that follow from the seed, different ones at each call. */
  bytes(count: number): Buffer
}

export interface ProtocolKind {
  rules(bytes: Ground['bytes']): Rules
  protocol(ground: Ground): Protocol
}

const MOST_SKEW_MS = 60_000
const LATE_REQUEST_MS = 90_000
const GATEWAY_STATUSES = [500, 502, 503, 504, 520]

/** Creates an exchange that answers requests in this process. `serveVenue` puts it behind a port. */
export function createVenue(name: VenueName, options: VenueOptions = {}): Venue {
  const { seed = 1, likelihood = 0.1, clock = Date.now, hasLimits = true } = options
  const bytes = byteSource(`${name}/${seed}`)
  const chance = options.chance ?? chanceFrom(byteSource(`chance/${name}/${seed}`))
  const faults = new Faults(options.faults ?? [], likelihood, chance)
  const kind = VENUES[name]
  const skewMs = faults.on.has('clock') ? faults.between(-MOST_SKEW_MS, MOST_SKEW_MS) : 0
  faults.counts.clock = skewMs === 0 ? 0 : 1
  const exchange = new Exchange(kind.rules(bytes), { seed, clock: () => clock() + skewMs, faults })
  const protocol = kind.protocol({ exchange, hasLimits, bytes })
  const account = exchange.openAccount()

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const asked: Asked = {
      method: request.method,
      host: url.host,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await request.text(),
    }
    exchange.settle()
    const receivedAt = exchange.now
    if (faults.strikes('lost-requests')) throw new ConnectionCut()
    if (faults.strikes('busy')) return responseOf(protocol.busy(chance()))
    const gateway = faults.strikes('gateway')
    const status = GATEWAY_STATUSES[faults.between(0, GATEWAY_STATUSES.length - 1)] ?? 500
    if (gateway && chance() < 0.5) return gatewayPage(status)
    const who = protocol.authenticate(asked)
    if ('status' in who) return responseOf(who)
    if (protocol.isWrite(asked) && faults.strikes('late-requests')) {
      exchange.later(receivedAt + faults.between(1, LATE_REQUEST_MS), () =>
        protocol.carryOut(asked, who.account, receivedAt),
      )
      throw new ConnectionCut()
    }
    const answered = protocol.carryOut(asked, who.account, receivedAt)
    if (faults.strikes('lost-answers')) throw new ConnectionCut()
    return gateway ? gatewayPage(status) : responseOf(answered)
  }

  return {
    name,
    credentials: protocol.newKey(account, {}),
    exchange,
    account,
    skewMs,
    fetch: answer,
    newKey: ({ isNewAccount = false, ...options } = {}) =>
      protocol.newKey(isNewAccount ? exchange.openAccount() : account, options),
    setMode: (mode) => {
      exchange.forcedMode = mode
    },
    setFaults: (on, likelihood = faults.likelihood) => {
      faults.on = new Set(on)
      faults.likelihood = likelihood
    },
  }
}

/** A connection that was cut: an exception like the one of `fetch`. */
export class ConnectionCut extends TypeError {
  constructor() {
    super('fetch failed')
  }
}

function responseOf({ status, body, headers = {} }: Answer): Response {
  return typeof body === 'string'
    ? new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } })
    : Response.json(body, { status, headers })
}

function gatewayPage(status: number): Response {
  const html = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`
  return new Response(html, { status, headers: { 'Content-Type': 'text/html' } })
}

/** Bytes that follow from a name: SHA-256 of it and a counter. */
function byteSource(name: string): (count: number) => Buffer {
  let calls = 0
  return (count) => {
    calls++
    const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, block) =>
      createHash('sha256').update(`${name}/${calls}/${block}`).digest(),
    )
    return Buffer.concat(blocks).subarray(0, count)
  }
}

function chanceFrom(bytes: (count: number) => Buffer): () => number {
  return () => bytes(4).readUInt32BE() / 2 ** 32
}
