import { sql } from 'drizzle-orm'
import { getBalances } from '../../../src/contract/identity/keys.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { isKey } from '../../http/actor.ts'
import { createReadRoute, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { computeFigures, readBooks } from '../../ledger/balances.ts'
import { selectRows } from '../../lib/database.ts'
import { users } from '../../lib/tables/people.ts'

/** The balances for a program or a guest, without the other fields of the profile. */
export const showBalances = createReadRoute(
  getBalances,
  ({ actorId }) => [
    readBooks(actorId),
    selectRows({ createdAt: users.createdAt }).from(users).where(sql`id = ${actorId}`),
  ],
  async ({ actor, nowMs }, [books, [user]]) => {
    const figures = computeFigures(books)
    return ok({
      at: toIso(nowMs),
      since: toIso(user?.createdAt ?? nowMs),
      name: actor.displayName,
      totalBalance: toUsd(figures.totalBalance),
      available: toUsd(figures.available),
      held: toUsd(figures.held),
      allocating: toUsd(figures.allocating),
      invested: toUsd(figures.invested),
      unrealised: toUsd(figures.unrealised),
      owed: toUsd(figures.owed),
      key: isKey(actor)
        ? { name: actor.key.name, kind: actor.key.kind, expiresAt: toIso(actor.key.expiresAt) }
        : null,
    })
  },
)
