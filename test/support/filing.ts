import { type AnyBody, type CallOptions, call, type Reply } from './http.ts'
import { mailTo } from './mailbox.ts'
import { newPicture } from './picture.ts'
import { newWallet } from './wallets.ts'

type Fields = Readonly<Record<string, string | Blob>>

/** The filled-in deposit form, by default to its own active wallet. */
export async function depositForm(fields: Fields = {}): Promise<Fields> {
  const paymentTo = fields.paymentTo ?? (await newWallet({ network: 'btc' })).address
  return { type: 'bitcoin', amount: '250.00', paymentTo, image: newPicture(), ...fields }
}

/** Files a deposit through the API. */
export async function fileDeposit(
  person: { readonly token: string },
  fields: Fields = {},
  options: CallOptions = {},
): Promise<Reply<AnyBody>> {
  return call('POST', '/deposits', { token: person.token, form: await depositForm(fields), ...options })
}

/** A valid Bitcoin address (the example of BIP 173). */
export const GOOD_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

export const CRYPTO_WITHDRAWAL = {
  amount: '100.00',
  type: 'bitcoin',
  network: 'btc',
  address: GOOD_ADDRESS,
} as const

export const BANK_WITHDRAWAL = {
  amount: '100.00',
  withdrawalMethod: 'bank',
  title: 'Ms',
  surname: 'Torres',
  firstName: 'Ana',
  occupation: 'Engineer',
  clientNumber: 'C-1001',
  investmentNumber: 'I-2002',
  productName: 'Savings',
  bankName: 'First Harbour Bank',
  accountNumber: '00112233445566',
  branchName: 'Quayside',
  accountType: 'savings',
  accountHolderName: 'Ana Torres',
  branchCode: '250655',
  country: 'GB',
  withdrawalType: 'partial',
  withdrawalReason: 'Rent',
} as const

/** The code in the newest mail that asks to confirm a withdrawal, or something else with this subject. */
export async function mailedCode(email: string, subject = /^Confirm your withdrawal$/): Promise<string> {
  const { text } = await mailTo(email, subject)
  const codes = text.match(/\b\d{6}\b/g) ?? []
  if (codes.length !== 1) throw new Error(`The mail holds ${codes.length} numbers that look like a code`)
  return codes[0] ?? ''
}

/** Withdraws, with the mailed code if extra proof is requested. */
export async function withdraw(
  person: { readonly token: string; readonly email: string },
  fields: Readonly<Record<string, unknown>> = {},
  path: '/withdrawals' | '/withdrawals/online-service' = '/withdrawals',
): Promise<Reply<AnyBody>> {
  const form = path === '/withdrawals' ? CRYPTO_WITHDRAWAL : BANK_WITHDRAWAL
  const json = { ...form, ...fields }
  const first = await call('POST', path, { token: person.token, json })
  if (first.body.code !== 'step_up_required') return first
  return call('POST', path, { token: person.token, json: { ...json, code: await mailedCode(person.email) } })
}

/** Saves an address, or renames the one with this id, with the mailed code. */
export async function changeAddress<Body = AnyBody>(
  { token, email }: { readonly token: string; readonly email: string },
  json: Readonly<Record<string, unknown>>,
  id?: string,
): Promise<Reply<Body & AnyBody>> {
  const send = (code?: string) =>
    call<Body & AnyBody>(
      id === undefined ? 'POST' : 'PATCH',
      `/users/addresses${id === undefined ? '' : `/${id}`}`,
      {
        token,
        json: { ...json, ...(code !== undefined && { code }) },
      },
    )
  const first = await send()
  if (first.body.code !== 'step_up_required') return first
  return send(await mailedCode(email, /^Confirm a change of your address book$/))
}
