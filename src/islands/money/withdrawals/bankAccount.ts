import * as z from 'zod/mini'
import { getUserInfo, type UserInfo } from '../../../contract/identity/userInfo.ts'
import {
  BANK_DETAILS,
  bankFields,
  isBankDetailNeeded,
  requireBankDetails,
} from '../../../contract/money/withdrawals.ts'
import { call } from '../../lib/api.ts'
import { getSession } from '../../lib/session.ts'
import { findCountryCode, getBankCountry } from './bankCountries.ts'

const COUNTRY_MISSING = 'Please choose the country of the bank'

/**
 * The fields of the bank form. It requires the country of the bank and what payments to that country take. With `isFull`, the
 * investor gives every field of the contract.
 */
export const bankFormFields = {
  isFull: z.optional(z.boolean()),
  ...bankFields,
  country: z.string({ error: COUNTRY_MISSING }).check(z.minLength(1, COUNTRY_MISSING)),
}

export const bankWithdrawalForm = z.object(bankFormFields).check(
  requireBankDetails<{ isFull?: boolean | undefined; country?: string | undefined }>(
    (detail, { isFull, country = '' }) => isFull === true || isBankDetailNeeded(detail, country),
  ),
  ({ value, issues }) => {
    const { accountProblem, branch, branchProblem } = getBankCountry(value.country)
    const refuse = (name: string, message: string | null) => {
      if (message !== null) issues.push({ code: 'custom', message, path: [name], input: value })
    }
    refuse('accountNumber', accountProblem(value.accountNumber))
    if (branch !== null) refuse('branchCode', branchProblem(value.branchCode))
  },
)

type BankInput = z.input<typeof bankWithdrawalForm>

/** Leaves out the fields that the form does not show, whatever was typed there before. */
export function pickBankFields<Typed extends Pick<BankInput, 'isFull'> & { readonly country?: string }>({
  isFull,
  ...typed
}: Typed): Omit<Typed, 'isFull'> {
  if (isFull) return typed
  const shown: Partial<Record<string, unknown>> = { ...typed, withdrawalType: undefined }
  for (const detail of BANK_DETAILS) {
    if (!isBankDetailNeeded(detail, typed.country ?? '')) shown[detail] = undefined
  }
  // Every field that may be left out here is optional in the contract.
  return shown as Omit<Typed, 'isFull'>
}

/** Known details of an investor, to fill in the form. */
export type Payee = Partial<Pick<UserInfo, 'country' | 'gender'>> & { name: string }

/** Without the profile, only the name is filled in. */
export async function loadPayee(): Promise<Payee> {
  const info = await call(getUserInfo, { query: { fields: 'country gender' } }).catch(() => null)
  return { name: getSession()?.name ?? '', ...info }
}

/** Initial values: the known facts of the investor. Everything else is blank. */
export function buildBankDefaults({ name, country = '', gender }: Payee) {
  const [firstName = '', ...others] = name.trim().split(/\s+/)
  return {
    country: findCountryCode(country),
    accountHolderName: name,
    title: TITLES[(gender ?? '').trim().toLowerCase()] ?? '',
    firstName,
    surname: others.join(' '),
  }
}

const TITLES: Readonly<Record<string, string>> = { male: 'Mr', man: 'Mr', female: 'Ms', woman: 'Ms' }
