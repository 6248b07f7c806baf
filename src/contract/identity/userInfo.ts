import * as z from 'zod/mini'
import { refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const notification = z.object({
  title: z.string(),
  content: z.string(),
  persistent: z.boolean(),
  seen: z.boolean(),
})

/** The fields of the account page and the overview. Money in USD, exact to the cent. */
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
  /** Credited for payments that are no longer on their chain. It cannot be used until they are back. */
  undone: z.number(),
  /** Set aside for pending orders. */
  allocating: z.number(),
  /** Cost of the units owned in strategies. */
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
    const unknown = names.find((name) => !(USER_INFO_FIELDS as string[]).includes(name))
    if (unknown !== undefined) return refuseValue(context, `There is no field named ${unknown.slice(0, 40)}`)
    return (names.length === 0 ? USER_INFO_FIELDS : [...new Set(names)]) as UserInfoField[]
  }),
)

export const getUserInfo = endpoint('GET', '/users/user-info', 'signed-in', {
  summary: 'Your profile and balances: the fields listed in `?fields=a b c`, or all',
  query: z.object({ fields: fieldList }),
  answer: z.partial(userInfo),
})
