import { sql } from 'drizzle-orm'
import type { Chain } from '../../../src/contract/money/payments.ts'
import type { Statement } from '../../lib/database.ts'
import { getHost, ServerFault } from './server.ts'

/** A server's answer in this tick: the newest block it knows, or its fault. A notice needs a person and stops nothing. */
export interface ServerState {
  readonly server: string
  head: { readonly height: number; readonly hash: string } | null
  fault: string | null
  notice?: string
}

/** Runs a question to a server. Its fault is noted, and null means that there is no answer. */
export async function tryServer<T>(state: ServerState, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error
    state.fault ??= error.message
    return null
  }
}

/** Forgets the servers of chains that have none any more. A payout by hand is then possible again. */
export function deleteServersExcept(chains: readonly Chain[]): Statement {
  return sql`DELETE FROM chain_servers WHERE chain NOT IN (SELECT value FROM json_each(${JSON.stringify(chains)}))`
}

/** Stores the answers of a chain's servers. `failing_since` stays while a server fails. */
export function recordServers(chain: Chain, states: readonly ServerState[], nowMs: number): Statement[] {
  const hosts = JSON.stringify(states.map(({ server }) => getHost(server)))
  return [
    sql`DELETE FROM chain_servers WHERE chain = ${chain} AND server NOT IN (SELECT value FROM json_each(${hosts}))`,
    ...states.map(({ server, head, fault, notice = null }) => {
      const answeredAt = head === null ? null : nowMs
      return sql`
        INSERT INTO chain_servers (chain, server, height, hash, answered_at, failing_since, fault, notice)
        VALUES (${chain}, ${getHost(server)}, ${head?.height ?? null}, ${head?.hash ?? null}, ${answeredAt},
                ${fault === null ? null : nowMs}, ${fault}, ${notice})
        ON CONFLICT (chain, server) DO UPDATE SET
          height = coalesce(excluded.height, height), hash = coalesce(excluded.hash, hash),
          answered_at = coalesce(excluded.answered_at, answered_at),
          failing_since = CASE WHEN excluded.fault IS NULL THEN NULL ELSE coalesce(failing_since, excluded.failing_since) END,
          fault = excluded.fault, notice = iif(excluded.answered_at IS NULL, notice, excluded.notice)`
    }),
  ]
}
