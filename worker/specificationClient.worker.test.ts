import { expect, test } from 'vitest'
import { GOOD_ADDRESS } from '../test/support/filing.ts'
import { type CallOptions, call } from '../test/support/http.ts'
import { linkIn, mailTo } from '../test/support/mailbox.ts'
import { newInvestor, type Person } from '../test/support/people.ts'
import { newPicture } from '../test/support/picture.ts'
import { newWallet } from '../test/support/wallets.ts'

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

test('a client written from the specification registers, verifies its address, signs in and resets its password', async () => {
  const email = 'client.of.the.specification@example.com'
  const account = { email, password: 'a long phrase of its own' }
  const registration = { ...account, phone: '+351 21 555 0199', country: 'Portugal', fullname: 'ana torres' }
  expect(await call('POST', '/auth/register', { json: { ...registration, referralID: '' } })).toMatchObject({
    status: 201,
  })
  const readQuery = async (subject: RegExp) =>
    Object.fromEntries(linkIn(await mailTo(email, subject)).searchParams)
  const { verificationToken } = await readQuery(/verify/i)
  expect(await call('POST', '/auth/verify-email', { json: { email, verificationToken } })).toMatchObject({
    status: 200,
  })
  const signIn = () => call('POST', '/auth/login', { json: account })
  expect(await signIn()).toMatchObject({
    status: 200,
    body: { token: expect.any(String), name: 'ana torres' },
  })

  expect(await call('POST', '/auth/forgot-password', { json: { email } })).toMatchObject({ status: 200 })
  account.password = 'another long phrase'
  const { token } = await readQuery(/new password/i)
  const reset = { ...account, confirmPassword: account.password, token }
  expect(await call('POST', '/auth/reset-password', { json: reset })).toMatchObject({ status: 200 })
  expect(await signIn()).toMatchObject({ status: 200 })
})

test('a client written from the specification reads and changes its account', async () => {
  const { token, password } = await newInvestor()
  const read = async (query = '') => (await call('GET', `/users/user-info${query}`, { token })).body
  const overview = {
    bonus: 0,
    profits: 0,
    deposits: 0,
    withdrawals: 0,
    pendingDeposits: 0,
    pendingWithdrawals: 0,
    totalBalance: 0,
    notification: null,
  }
  expect(await read(`?fields=${Object.keys(overview).join(' ')}`)).toEqual(overview)
  expect(await read('?fields=referralLink')).toEqual({ referralLink: expect.stringContaining('?ref=') })

  const person = {
    gender: 'female',
    fullname: 'ana maria torres',
    maritalStatus: 'Single',
    address: 'Rua Um 1',
  }
  const changes: readonly CallOptions[] = [
    { form: { ...person, phone: '+351 215550198', country: 'Portugal' } },
    { form: { currentPassword: password, newPassword: 'another long phrase' } },
    { json: { seen: true } },
  ]
  for (const change of changes)
    expect(await call('PATCH', '/users/user-info', { token, ...change })).toMatchObject({
      status: 200,
      body: { msg: expect.any(String) },
    })
  expect(await read()).toMatchObject({ gender: 'female', address: 'Rua Um 1', ...overview })
})

test('a client written from the specification sends its identity document, a deposit and a message', async () => {
  const { token } = await newInvestor({ kyc: 'none' })
  const document = { document: 'Passport', image: newPicture() }
  expect(await call('POST', '/kyc', { token, form: document })).toMatchObject({ status: 201 })
  const documents = await call<readonly unknown[]>('GET', '/kyc', { token })
  expect(documents.body[0]).toMatchObject({ status: 'pending', document: 'Passport' })

  await newWallet({ network: 'btc' })
  const payer = await newInvestor()
  const wallets = await call<readonly { address: string; walletName: string; image: string }[]>(
    'GET',
    '/admin-wallets',
    { token: payer.token },
  )
  const wallet = wallets.body.find(({ walletName }) => walletName === 'bitcoin')
  const deposit = { type: 'bitcoin', amount: '120', image: newPicture(), paymentTo: wallet?.address ?? '' }
  expect(await call('POST', '/deposits', { token: payer.token, form: deposit })).toMatchObject({
    status: 201,
  })

  const message = { name: 'Ana', email: 'ana@example.com', message: 'Hello' }
  expect(await call('POST', '/contact-us', { json: message })).toMatchObject({ status: 201 })
  expect((await call('GET', '/whatsapp')).body).toEqual([])
})

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
