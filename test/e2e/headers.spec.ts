import { picture } from '../support/picture.ts'
import { callApi, origin, send } from './support/http.ts'
import { MISSING } from './support/pages.ts'
import { createSession, PASSWORD } from './support/people.ts'
import { expectSecurityHeaders } from './support/securityHeaders.ts'
import { expect, test } from './support/test.ts'

test('every other response has the security headers', async () => {
  const { token } = await createSession({ email: 'newcomer@example.com', password: PASSWORD })
  const tooSmall = new Blob([new Uint8Array(picture('tiny.png', 8, 8).buffer)], { type: 'image/png' })
  const answers = {
    'health: 200': await send('GET', '/health'),
    'an unknown route: 404': await send('GET', '/nothing-here'),
    'a wrong method: 405': await send('DELETE', '/health'),
    'no token: 401': await send('GET', '/kyc'),
    'wrong fields: 422': await send('POST', '/auth/login', { json: {} }),
    'an upload: 422': await send('POST', '/kyc', { token, form: { document: 'Passport', image: tooSmall } }),
    'the API’s description: 200': await send('GET', '/openapi.json'),
    'the API’s page: 200': await fetch(`${origin}/docs`),
    'the mailbox: 200': await fetch(`${origin}/dev/mailbox`),
    'an icon: 200': await fetch(`${origin}/favicon.svg`),
    'a missing page: 404': await fetch(`${origin}${MISSING}`),
  }
  for (const [what, answer] of Object.entries(answers)) {
    await test.step(what, () => {
      expect(what).toContain(`: ${answer.status}`)
      expectSecurityHeaders(answer.headers)
    })
  }
})

test('a picture from the API cannot run scripts', async () => {
  const { token } = await createSession({ email: 'investor@example.com', password: PASSWORD })
  const [wallet] = await callApi<{ image: string }[]>('GET', '/admin-wallets', { token })
  const { headers } = await fetch(`${origin}${wallet?.image}`)
  expect(headers.get('content-type')).toMatch(/^image\//)
  expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  expectSecurityHeaders(headers)
})
