import type { Endpoint } from '../../src/contract/endpoint.ts'

/** Calls that take more round trips to the database than one for a read and two for a write, with the reason. */
export const MORE_TRIPS: Readonly<Record<string, readonly [trips: number, why: string]>> = {}

/** The most round trips to the database of an answer without a failure. */
export function mostTrips({ method, path, isQuery }: Endpoint): number {
  return MORE_TRIPS[`${method} ${path}`]?.[0] ?? (method === 'GET' || isQuery ? 1 : 2)
}
