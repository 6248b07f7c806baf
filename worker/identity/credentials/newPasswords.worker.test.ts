import { expect, test } from 'vitest'
import { site } from '../../../src/site.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor } from '../../../test/support/people.ts'

/** Often leaked, and only in the Worker's list. */
const LEAKED = '13071985'
const COMMON = 'That password is one of the most common ones. Please choose another'
const KNOWN = 'That password is easily guessed from our name or yours. Please choose another'

test('a guessable password is refused at registration, with a message beside its field', async () => {
  const register = (password: string) =>
    call('POST', '/auth/register', {
      json: {
        fullname: 'mira lindqvist',
        displayName: 'Mira Lindqvist',
        email: 'mira-of-the-lake@example.com',
        phone: '+41791234567',
        country: 'Switzerland',
        password,
        confirmPassword: password,
      },
    })
  expect(await register(LEAKED)).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', msg: COMMON, fields: { password: COMMON } },
  })
  for (const guessable of ['MiraLindqvist7', 'miraofthelake!', `${site.brand}1234`])
    expect((await register(guessable)).body.fields).toEqual({ password: KNOWN })
  expect(await register('a boat of their own')).toMatchObject({ status: 201 })
})

test('it is refused with a mailed link, which can be used again, and in the profile', async () => {
  const ana = await newInvestor()
  await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
  const token = linkIn(await mailTo(ana.email, /^Choose/), '/change-password').searchParams.get('token')
  const reset = (password: string) =>
    call('POST', '/auth/reset-password', {
      json: { email: ana.email, token, password, confirmPassword: password },
    })
  expect((await reset(LEAKED)).body.fields).toEqual({ password: COMMON })
  expect(
    (
      await call('PATCH', '/users/user-info', {
        token: ana.token,
        json: { currentPassword: ana.password, newPassword: LEAKED },
      })
    ).body.fields,
  ).toEqual({ newPassword: COMMON })
  expect(await reset('a boat of their own')).toMatchObject({ status: 200 })
})
