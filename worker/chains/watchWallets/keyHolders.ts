import { eq, type SQL, sql } from 'drizzle-orm'
import type { KeyHolder } from '../../../src/contract/console/cases.ts'
import type { WatchSigner } from '../../../src/contract/console/watchWallets.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { users } from '../../lib/tables/people.ts'

/** The keys `h` of watch-only wallets that an operator holds, as two administrators decided last. */
export function readKeyHolders(where: SQL) {
  return selectRows({
    wallet: sql<string>`h.wallet`,
    key: sql<number>`h.key`,
    ...{ id: users.id, name: users.displayName },
    canSign: sql<0 | 1>`EXISTS (SELECT 1 FROM deciding_treasurers d WHERE d.id = ${users.id})`,
  })
    .from(sql`key_holders h`)
    .innerJoin(users, eq(users.id, sql`h.holder`))
    .where(where)
}

export type KeyHolderFacts = RowOf<typeof readKeyHolders>

/** The holder of a key; null if nobody is assigned. */
export function findKeyHolder(
  holders: readonly KeyHolderFacts[],
  wallet: string,
  key: number,
): KeyHolder | null {
  const found = holders.find((holder) => holder.wallet === wallet && holder.key === key)
  return found === undefined ? null : { _id: found.id, name: found.name, canSign: found.canSign === 1 }
}

/** The public name of a key: the fingerprint of its master key, or the address with which it signs. */
export function getKeyName({ origin, address }: Pick<WatchSigner, 'origin' | 'address'>): string {
  return origin === '' ? address : origin.slice(0, 8)
}
