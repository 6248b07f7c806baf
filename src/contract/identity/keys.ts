import * as z from 'zod/mini'
import { choice, isoTime, refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { optionalText, requiredText } from '../fields.ts'
import { parseNetwork } from '../ipNetworks.ts'
import { FACTOR_LIMIT, passwordAndProof } from './factors.ts'

/** Who uses a key: a program, or a person with a guest link. Both read the same. */
export const KEY_KINDS = ['program', 'guest'] as const

/** The most keys of one investor that work at a time, and the most days of one. */
export const MAX_KEYS = 20
export const MAX_KEY_DAYS = 365

const key = z.object({
  _id: z.string(),
  kind: z.enum(KEY_KINDS),
  name: z.string(),
  /** The ranges of addresses from which it works, in CIDR notation. Empty for every network. */
  networks: z.array(z.string()),
  createdAt: isoTime,
  expiresAt: isoTime,
  lastUsedAt: z.nullable(isoTime),
  revokedAt: z.nullable(isoTime),
  /** Only in the answer that creates it. Only its hash is stored. */
  key: z.optional(z.string()),
})
export type Key = z.output<typeof key>

export const listKeys = endpoint('GET', '/users/keys', 'signed-in', {
  summary: 'Your newest 50 keys for programs and guest links',
  answer: z.array(key),
})

const MAX_NETWORKS = 20

/** Ranges of addresses, separated by commas, spaces or lines. */
const networksField = z.pipe(
  optionalText(1000, true),
  z.transform((text, context) => {
    const networks = (text ?? '').split(/[\s,]+/).filter((network) => network !== '')
    const wrong = networks.find((network) => parseNetwork(network) === null)
    if (wrong !== undefined)
      return refuseValue(context, `${wrong.slice(0, 50)} is not an address or a range like 203.0.113.0/24`)
    if (networks.length > MAX_NETWORKS)
      return refuseValue(context, `Please give at most ${MAX_NETWORKS} networks`)
    return networks.map((network) => network.toLowerCase())
  }),
)

const DAY_PROBLEM = 'Please give the last day, like 2026-12-31'

/** The form of a new key. `until` is its last UTC day. */
export const newKeyForm = z.extend(passwordAndProof, {
  name: requiredText('Please name the program or the person', 60),
  until: z.string({ error: DAY_PROBLEM }).check(z.regex(/^\d{4}-\d\d-\d\d$/, DAY_PROBLEM)),
  networks: networksField,
})

export const createKey = endpoint('POST', '/users/keys', 'signed-in', {
  summary: `Create a key that reads your balances, history, positions, statements, values and gains, and can change nothing. Takes the password and, if one is on, a second factor. The answer shows the key once. At most ${MAX_KEYS} work at a time, each for at most a year`,
  status: 201,
  body: z.extend(newKeyForm, { kind: choice(KEY_KINDS, `kind is one of ${KEY_KINDS.join(', ')}`) }),
  answer: key,
  limit: FACTOR_LIMIT,
  refusals: [
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
    'conflict',
  ],
})

export const revokeKey = endpoint('POST', '/users/keys/:id/revoke', 'signed-in', {
  summary: 'Revoke a key for a program or a guest link: it stops working at once',
  body: z.optional(z.object({})),
  answer: key,
  refusals: ['already_decided'],
})

export const getBalances = endpoint('GET', '/users/balances', 'signed-in-or-key', {
  summary: 'The balances now, in USD, and the key that reads them',
  answer: z.object({
    at: isoTime,
    /** When the account was opened. */
    since: isoTime,
    /** The name that the investor goes by. */
    name: z.string(),
    /** Everything: available, held, allocating and the value in strategies, less debt. */
    totalBalance: z.number(),
    available: z.number(),
    /** Held for withdrawals. */
    held: z.number(),
    /** Set aside for pending orders. */
    allocating: z.number(),
    /** In strategies at cost, and the gain or loss on it at the latest prices. */
    invested: z.number(),
    unrealised: z.number(),
    owed: z.number(),
    /** Null for the investor's own session. */
    key: z.nullable(z.object({ name: z.string(), kind: z.enum(KEY_KINDS), expiresAt: isoTime })),
  }),
})
