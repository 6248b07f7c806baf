import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import {
  getUserInfo as endpoint,
  type UserInfo,
  type UserInfoField,
} from '../../../src/contract/identity/userInfo.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type CallOf, createReadRoute, ok } from '../../http/call.ts'
import { bookRow, computeFigures, type Figures, readBooks } from '../../ledger/balances.ts'
import { parseStored, type RowOf, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { notifications } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { buildReferralLink } from '../signIn/register.ts'

const MONEY = [
  'bonus',
  'profits',
  'deposits',
  'withdrawals',
  'pendingDeposits',
  'pendingWithdrawals',
  'totalBalance',
  'available',
  'undone',
  'allocating',
  'invested',
  'unrealised',
  'owed',
] as const satisfies readonly (UserInfoField & keyof Figures)[]

/** The requested fields. The books are read only if a money field is requested. */
export const showUserInfo = createReadRoute(
  endpoint,
  ({ actorId, query: { fields } }) => [
    readPerson(
      actorId,
      fields.some((field) => (MONEY as readonly string[]).includes(field)),
    ),
  ],
  async (call, [[user]]) => ok(toUserInfo(call, user ?? refuse('unauthorized'))),
)

function toUserInfo(
  { env, query }: CallOf<typeof endpoint>,
  user: RowOf<typeof readPerson>,
): Partial<UserInfo> {
  const figures = computeFigures(parseStored(z.array(bookRow), user.books))
  const everything: UserInfo = {
    fullname: user.fullname,
    email: user.email,
    phone: user.phone,
    address: user.address,
    country: user.country,
    maritalStatus: user.maritalStatus,
    gender: user.gender,
    ...toMoneyFields(figures),
    referralLink: buildReferralLink(env, user.referralCode),
    notification:
      user.title === null || user.content === null
        ? null
        : {
            title: user.title,
            content: user.content,
            persistent: user.persistent === 1,
            seen: user.seen === 1,
          },
  }
  const answer: Partial<UserInfo> = {}
  for (const field of query.fields) Object.assign(answer, { [field]: everything[field] })
  return answer
}

// One statement, because each has its own cost in the database.
function readPerson(id: SQL, wantsMoney: boolean) {
  const [u, n] = [alias(users, 'u'), alias(notifications, 'n')]
  const { fullname, email, phone, address, country, maritalStatus, gender, referralCode } = u
  const books = sql`(
    SELECT json_group_array(json_object('kind', kind, 'balance', balance, 'price', price)) FROM (${readBooks(id).getSQL()}))`
  return selectRows({
    ...{ fullname, email, phone, address, country, maritalStatus, gender, referralCode },
    /** JSON of the rows of `readBooks`. */
    books: sql<string>`${wantsMoney ? books : sql`'[]'`}`,
    /** The notification’s. Null without a notification. */
    ...{ title: n.title, content: n.content },
    ...{ persistent: sql<0 | 1 | null>`n.persistent`, seen: sql<0 | 1 | null>`n.seen` },
  })
    .from(u)
    .leftJoin(n, eq(n.userId, u.id))
    .where(eq(u.id, id))
}

function toMoneyFields(figures: Figures): Record<(typeof MONEY)[number], number> {
  return Object.fromEntries(MONEY.map((name) => [name, toUsd(figures[name])])) as Record<
    (typeof MONEY)[number],
    number
  >
}
