import { expect, test } from 'vitest'
import { GOOD_ADDRESS } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'

// A client that knows sections 3, 7 and 8 of the specification alone: its calls, its fields, and that `msg` is shown. It sends no code,
// no country and no idempotency key, and reads no other error field.

const CRYPTO = { amount: '400', type: 'bitcoin', network: 'btc', address: GOOD_ADDRESS }
const BANK = {
  amount: '250.50',
  withdrawalMethod: 'bank',
  title: 'Ms',
  surname: 'Torres',
  firstName: 'Ana',
  occupation: 'Engineer',
  clientNumber: '1001',
  investmentNumber: '2002',
  productName: 'Savings',
  bankName: 'First Harbour Bank',
  accountNumber: '00112233445566',
  branchName: 'Quayside',
  accountType: 'savings',
  accountHolderName: 'Ana Torres',
  branchCode: '250655',
  withdrawalType: 'partial',
  withdrawalReason: 'Rent',
}

/** The person behind the client opens the newest mail, follows its link and presses the button of that page. */
async function confirmByMail({ email }: Person): Promise<void> {
  const link = linkIn(await mailTo(email), '/confirm-withdrawal')
  const json = { token: link.searchParams.get('token') }
  expect(await call('POST', '/withdrawals/confirm', { json })).toMatchObject({ status: 200 })
}

for (const { path, form, trxType } of [
  { path: '/withdrawals', form: CRYPTO, trxType: 'withdrawal' },
  { path: '/withdrawals/online-service', form: BANK, trxType: 'online-service-withdrawal' },
]) {
  test(`a client written from the specification makes a first withdrawal by POST ${path}`, async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const json = { email: ana.email, password: ana.password }
    const signedIn = await call<{ token: string }>('POST', '/auth/login', { json })
    const { token } = signedIn.body
    const send = () => call('POST', path, { token, form })

    const refused = await send()
    expect(refused.status).toBeGreaterThanOrEqual(400)
    // Its user reads what to do.
    expect(refused.body.msg).toMatch(/mail/i)
    await confirmByMail(ana)
    expect(await send()).toMatchObject({ status: 201 })

    const info = await call('GET', '/users/user-info?fields=pendingWithdrawals', { token })
    expect(info.body).toEqual({ pendingWithdrawals: Number(form.amount) })
    const history = await call<readonly unknown[]>('GET', '/transaction-history', { token })
    expect(history.body[0]).toMatchObject({ amount: Number(form.amount), trxType, status: 'pending' })
  })
}
