import { expect, test } from 'vitest'
import { signRequest } from './sign.ts'

test('a request is signed as in the example of Kraken', async () => {
  // https://docs.kraken.com/exchange/guides/rest/authentication
  const secret = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=='
  const body = 'nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25'
  expect(await signRequest(secret, '/0/private/AddOrder', '1616492376594', body)).toBe(
    '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
  )
})
