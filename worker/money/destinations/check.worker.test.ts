import { expect, test } from 'vitest'
import type { DestinationDelay } from '../../../src/contract/money/destinations.ts'
import { DAY_MS } from '../../../src/time.ts'
import { endDestinationDelay, letChangePass, turnOnApp } from '../../../test/support/factors.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL, withdraw } from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const check = ({ token }: Pick<Person, 'token'>, json: object = CRYPTO_WITHDRAWAL, way = 'wallet') =>
  call<DestinationDelay & AnyBody>('POST', `/users/destinations/${way}`, { token, json })

test('a destination is new, then delayed, then known without a delay', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const before = await check(ana)
  expect(before).toMatchObject({ status: 200, body: { isKnown: false } })
  expect(Math.abs(Date.parse(before.body.heldUntil ?? '') - Date.now() - DAY_MS)).toBeLessThan(60_000)
  const { heldUntil } = (await withdraw(ana)).body
  expect((await check(ana)).body).toEqual({ isKnown: true, heldUntil })
  await endDestinationDelay(ana)
  expect((await check(ana)).body).toEqual({ isKnown: true, heldUntil: null })
})

test('what one investor confirmed is new to another', async () => {
  const [ana, bela] = [await newInvestor({ availableCents: 1000_00 }), await newInvestor()]
  await withdraw(ana)
  expect((await check(bela)).body.isKnown).toBe(false)
})

test('a second factor spares a new destination the delay', async () => {
  const ana = await newInvestor({ totpSecret: newTotpSecret() })
  expect((await check(ana)).body).toEqual({ isKnown: false, heldUntil: null })
})

test('a second factor turned on later does not end a running delay', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { heldUntil } = (await withdraw(ana)).body
  await turnOnApp(ana)
  await letChangePass(ana)
  expect((await check(ana)).body).toEqual({ isKnown: true, heldUntil })
})

test('a bank account is compared by every field of its identity, and by no other', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  expect((await check(ana, BANK_WITHDRAWAL, 'bank')).body.isKnown).toBe(false)
  expect((await withdraw(ana, {}, '/withdrawals/online-service')).status).toBe(201)
  const again = { ...BANK_WITHDRAWAL, amount: '5', occupation: 'Painter' }
  expect((await check(ana, again, 'bank')).body.isKnown).toBe(true)
  const other = { ...BANK_WITHDRAWAL, accountHolderName: 'Somebody Else' }
  expect((await check(ana, other, 'bank')).body.isKnown).toBe(false)
})

test('a wrong address is refused, and so are operators and visitors', async () => {
  const ana = await newInvestor()
  expect(await check(ana, { ...CRYPTO_WITHDRAWAL, address: 'x' })).toMatchObject({
    status: 422,
    body: { fields: { address: expect.any(String) } },
  })
  expect((await check(ana, {}, 'bank')).status).toBe(422)
  expect((await check(await newOperator())).status).toBe(403)
  expect((await check({ token: 'none' })).status).toBe(401)
})
