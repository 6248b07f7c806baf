import * as z from 'zod/mini'
import { choice, isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredText } from '../fields.ts'
import { COINS, NETWORKS } from './coins.ts'

/** An address that an investor saved under a name. Saving does not confirm it as a destination. */
export const savedAddress = z.object({
  _id: z.string(),
  label: z.string(),
  type: z.enum(COINS),
  network: z.enum(NETWORKS),
  address: z.string(),
  createdAt: isoTime,
})
export type SavedAddress = z.output<typeof savedAddress>

const label = requiredText('Please give the address a name', 60)
const LIMIT = { name: 'address-book', per: 'account', max: 300, windowSeconds: 3600 } as const

export const listAddresses = endpoint('GET', '/users/addresses', 'signed-in', {
  summary: 'The address book: your own saved withdrawal addresses, newest first',
  query: pageQuery,
  answer: z.array(savedAddress),
})

export const saveAddress = endpoint('POST', '/users/addresses', 'signed-in', {
  summary: 'Save a withdrawal address under a name, at most 50. A withdrawal to it still needs its proof',
  status: 201,
  body: z.object({
    label,
    type: choice(COINS, 'Please choose a coin'),
    network: choice(NETWORKS, 'Please choose a network'),
    address: requiredText('Please provide withdrawal address', 200),
  }),
  answer: savedAddress,
  limit: LIMIT,
  refusals: ['address_saved', 'too_many_addresses'],
})

export const renameAddress = endpoint('PATCH', '/users/addresses/:id', 'signed-in', {
  summary: 'Rename a saved address',
  body: z.object({ label }),
  answer: savedAddress,
  limit: LIMIT,
})

export const deleteAddress = endpoint('DELETE', '/users/addresses/:id', 'signed-in', {
  summary: 'Delete an address from the address book',
  status: 204,
  limit: LIMIT,
})
