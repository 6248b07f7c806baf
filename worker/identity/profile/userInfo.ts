import { eq } from 'drizzle-orm'
import type { getUserInfo, UserInfo, UserInfoField } from '../../../src/contract/identity/userInfo.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { type Figures, figuresOf, readBooks } from '../../ledger/balances.ts'
import { refuse } from '../../lib/errors.ts'
import { notifications } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { referralLink } from '../signIn/register.ts'

type UserInfoCall = CallOf<typeof getUserInfo>

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

/** The requested fields, in one round trip. The books are read only if a money field is requested. */
export async function userInfo(call: UserInfoCall): Promise<Answer<Partial<UserInfo>>> {
  const { actor, db, env } = call
  const { fields } = call.query
  const person = db.select().from(users).where(eq(users.id, actor.id))
  const note = db.select().from(notifications).where(eq(notifications.userId, actor.id))
  const wantsMoney = fields.some((field) => (MONEY as readonly string[]).includes(field))
  const [[user], [notification], accounts = [], pending = []] = wantsMoney
    ? await db.batch([person, note, ...readBooks(db, actor.id)])
    : await db.batch([person, note])
  if (user === undefined) return refuse('unauthorized')
  const figures = figuresOf(accounts, pending[0]?.pending ?? 0)
  const everything: UserInfo = {
    fullname: user.fullname,
    email: user.email,
    phone: user.phone,
    address: user.address,
    country: user.country,
    maritalStatus: user.maritalStatus,
    gender: user.gender,
    ...moneyOf(figures),
    referralLink: referralLink(env, user.referralCode),
    notification: notification
      ? {
          title: notification.title,
          content: notification.content,
          persistent: notification.persistent,
          seen: notification.seen,
        }
      : null,
  }
  const answer: Partial<UserInfo> = {}
  for (const field of fields) Object.assign(answer, { [field]: everything[field] })
  return ok(answer)
}

function moneyOf(figures: Figures): Record<(typeof MONEY)[number], number> {
  return Object.fromEntries(MONEY.map((name) => [name, usdOf(figures[name])])) as Record<
    (typeof MONEY)[number],
    number
  >
}
