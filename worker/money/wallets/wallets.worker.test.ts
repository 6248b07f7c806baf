import { expect, test } from 'vitest'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { call, ORIGIN, send } from '../../../test/support/http.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { newWallet, retireWallet } from '../../../test/support/wallets.ts'
import { renderPicture } from './wallets.ts'

test('active wallets are listed with their network and picture, retired ones are not', async () => {
  const ana = await newInvestor()
  const wallet = await newWallet({ network: 'usdt-bsc' })
  const retired = await newWallet({ network: 'eth' })
  await retireWallet(retired)
  const { status, body } = await call<Wallet[]>('GET', '/admin-wallets', { token: ana.token })
  expect(status).toBe(200)
  expect(body.find((each) => each._id === wallet.id)).toEqual({
    _id: wallet.id,
    walletName: 'usdt',
    type: 'usdt',
    network: 'usdt-bsc',
    address: wallet.address,
    image: `/api/v1/wallets/${wallet.id}/qr.svg`,
    simulated: true,
  })
  expect(body.some((each) => each._id === retired.id)).toBe(false)
})

test('wallets come newest first, in pages', async () => {
  const { token } = await newInvestor()
  const older = await newWallet({ network: 'btc' })
  const newer = await newWallet({ network: 'eth' })
  const page = await call<Wallet[]>('GET', '/admin-wallets?limit=1', { token })
  expect(page.body.map(({ _id }) => _id)).toEqual([newer.id])
  const [, next = ''] = /^<\/api\/v1([^>]+)>; rel="next"$/.exec(page.headers.get('Link') ?? '') ?? []
  expect((await call<Wallet[]>('GET', next, { token })).body.map(({ _id }) => _id)).toEqual([older.id])
  for (const query of ['limit=0', 'limit=050', 'limit=101', 'cursor=x']) {
    expect((await call('GET', `/admin-wallets?${query}`, { token })).status, query).toBe(422)
  }
})

test('wallets are only for signed-in people', async () => {
  expect(await call('GET', '/admin-wallets')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

test('a simulated wallet’s QR code says to send nothing, and contains no address', async () => {
  const wallet = await newWallet({ simulated: true })
  const response = await send('GET', `/wallets/${wallet.id}/qr.svg`)
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('image/svg+xml')
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(response.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect(response.headers.get('Cache-Control')).toContain('max-age=')
  const picture = await response.text()
  expect(picture).toBe(renderPicture({ address: 'another', simulated: true }))
  expect(picture).not.toBe(renderPicture({ address: wallet.address, simulated: false }))
})

test('a real wallet’s picture holds its address', async () => {
  const wallet = await newWallet({ simulated: false })
  const picture = await (await send('GET', `/wallets/${wallet.id}/qr.svg`)).text()
  expect(picture).toBe(renderPicture({ address: wallet.address, simulated: false }))
  expect(picture).toMatch(/^<svg /)
})

test('an unknown or retired wallet has no picture', async () => {
  const wallet = await newWallet()
  await retireWallet(wallet)
  for (const id of [wallet.id, 'nothing']) {
    expect(await call('GET', `/wallets/${id}/qr.svg`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  }
})

test('the picture’s path leads to the picture on the API’s host', async () => {
  const ana = await newInvestor()
  await newWallet()
  const { body } = await call<Wallet[]>('GET', '/admin-wallets', { token: ana.token })
  const path = new URL(body[0]?.image ?? '', ORIGIN).pathname.replace('/api/v1', '')
  expect((await send('GET', path)).status).toBe(200)
})
