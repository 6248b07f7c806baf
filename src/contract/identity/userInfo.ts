import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

const notification = z.object({
  title: z.string(),
  content: z.string(),
  persistent: z.boolean(),
  seen: z.boolean(),
})

/** Everything the account page and the overview show. Money in USD, exact to the cent. */
export const userInfo = z.object({
  fullname: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.nullable(z.string()),
  country: z.string(),
  maritalStatus: z.nullable(z.string()),
  gender: z.nullable(z.string()),
  bonus: z.number(),
  profits: z.number(),
  deposits: z.number(),
  withdrawals: z.number(),
  pendingDeposits: z.number(),
  pendingWithdrawals: z.number(),
  totalBalance: z.number(),
  available: z.number(),
  /** Set aside for orders that wait. */
  allocating: z.number(),
  /** What was paid for the units held in strategies. */
  invested: z.number(),
  /** Gain or loss on these units at the latest price. */
  unrealised: z.number(),
  owed: z.number(),
  referralLink: z.string(),
  notification: z.nullable(notification),
})
export type UserInfo = z.output<typeof userInfo>
export type UserInfoField = keyof UserInfo
const USER_INFO_FIELDS = Object.keys(userInfo.shape) as UserInfoField[]

const fieldList = z.pipe(
  z.optional(z.string()),
  z.transform((value, context) => {
    const names = (value ?? '').split(/[\s,+]+/).filter((name) => name !== '')
    const unknown = names.filter((name) => !(USER_INFO_FIELDS as string[]).includes(name))
    if (unknown.length > 0) {
      context.issues.push({
        code: 'custom',
        message: `There is no field named ${unknown[0]?.slice(0, 40)}`,
        input: value,
      })
      return z.NEVER
    }
    return (names.length === 0 ? USER_INFO_FIELDS : [...new Set(names)]) as UserInfoField[]
  }),
)

export const getUserInfo = endpoint({
  method: 'GET',
  path: '/users/user-info',
  scope: 'signed-in',
  summary: 'The fields asked for in `?fields=a b c`, all of them without',
  status: 200,
  query: z.object({ fields: fieldList }),
  answer: z.partial(userInfo),
})
