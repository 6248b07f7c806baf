import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  getUserInfo as endpoint,
  type UserInfo,
  type UserInfoField,
} from '../../../src/contract/identity/userInfo.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type CallOf, createReadRoute, ok } from '../../http/call.ts'
import { bookRow, computeFigures, type Figures, readBooks } from '../../ledger/balances.ts'
import { buildQuery, parseStored, type RowQuery } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
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

function toUserInfo({ env, query }: CallOf<typeof endpoint>, user: Person): Partial<UserInfo> {
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

type Person = Omit<UserInfo, (typeof MONEY)[number] | 'referralLink' | 'notification'> & {
  readonly referralCode: string
  /** The notification’s. Null without a notification. */
  readonly title: string | null
  readonly content: string | null
  readonly persistent: 0 | 1 | null
  readonly seen: 0 | 1 | null
  /** JSON of the rows of `readBooks`. */
  readonly books: string
}

// One statement, because each has its own cost in the database.
function readPerson(id: SQL, wantsMoney: boolean): RowQuery<Person> {
  const books = sql`(
    SELECT json_group_array(json_object('kind', kind, 'balance', balance, 'price', price)) FROM (${readBooks(id).getSQL()}))`
  return buildQuery(sql`
    SELECT ${wantsMoney ? books : sql`'[]'`} AS books, u.fullname, u.email, u.phone, u.address, u.country, u.marital_status AS maritalStatus, u.gender,
           u.referral_code AS referralCode, n.title, n.content, n.persistent, n.seen
    FROM users u LEFT JOIN notifications n ON n.user_id = u.id WHERE u.id = ${id}`)
}

function toMoneyFields(figures: Figures): Record<(typeof MONEY)[number], number> {
  return Object.fromEntries(MONEY.map((name) => [name, toUsd(figures[name])])) as Record<
    (typeof MONEY)[number],
    number
  >
}
