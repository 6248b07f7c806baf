import * as z from 'zod/mini'
import { getUserInfo, type UserInfo } from '../../../contract/identity/userInfo.ts'
import { bankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { call } from '../../lib/api.ts'
import { getSession } from '../../lib/session.ts'
import { findCountryCode, getBankCountry } from './bankCountries.ts'

/** Sent for each detail that a destination does not have. Always the same word, so that the destination stays the same. */
export const NONE = 'none'

const COUNTRY_MISSING = 'Please choose the country of the bank'

const { country: _optional, ...bankFields } = bankWithdrawal.shape

/** The country decides how the account is written, so the form requires it. */
export const bankWithdrawalForm = z
  .object({
    country: z.string({ error: COUNTRY_MISSING }).check(z.minLength(1, COUNTRY_MISSING)),
    ...bankFields,
  })
  .check(({ value, issues }) => {
    const { accountProblem, branch, branchProblem } = getBankCountry(value.country)
    const refuse = (name: string, message: string | null) => {
      if (message !== null) issues.push({ code: 'custom', message, path: [name], input: value })
    }
    refuse('accountNumber', accountProblem(value.accountNumber))
    if (branch !== null) refuse('branchCode', branchProblem(value.branchCode))
  })

/** Known details of an investor, to fill in the form. */
export type Payee = Partial<Pick<UserInfo, 'country' | 'gender'>> & { name: string }

/** Without the profile, only the name is filled in. */
export async function loadPayee(): Promise<Payee> {
  const info = await call(getUserInfo, { query: { fields: 'country gender' } }).catch(() => null)
  return { name: getSession()?.name ?? '', ...info }
}

/** Initial values. Everything that is not needed for most payments is `none`, and can be changed under "More details". */
export function buildBankDefaults({ name, country = '', gender }: Payee) {
  const words = name.trim().split(/\s+/)
  const [firstName = '', ...others] = words
  const code = findCountryCode(country)
  return {
    country: code,
    accountHolderName: name,
    title: TITLES[(gender ?? '').trim().toLowerCase()] ?? '',
    accountType: code === 'US' ? 'checking' : 'current',
    firstName,
    surname: others.join(' ') || firstName,
    occupation: NONE,
    clientNumber: NONE,
    investmentNumber: NONE,
    productName: NONE,
    branchName: NONE,
    branchCode: getBankCountry(code).branch === null ? NONE : '',
    withdrawalReason: NONE,
  }
}

const TITLES: Readonly<Record<string, string>> = { male: 'Mr', man: 'Mr', female: 'Ms', woman: 'Ms' }
