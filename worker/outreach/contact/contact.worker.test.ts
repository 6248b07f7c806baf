import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { call } from '../../../test/support/http.ts'
import { setSetting } from '../../../test/support/settings.ts'

const write = (json: unknown) => call('POST', '/contact-us', { json })

describe('writing to support', () => {
  test('a message is stored as written', async () => {
    const reply = await write({
      name: 'Ana',
      email: 'Ana@Example.com',
      message: 'Hello,\n<b>is</b> anybody there? 🙂',
    })
    expect(reply).toMatchObject({ status: 201, body: { msg: expect.any(String) } })
    const row = await env.DB.prepare('SELECT * FROM contact_messages ORDER BY seq DESC').first()
    expect(row).toMatchObject({
      name: 'Ana',
      email: 'ana@example.com',
      message: 'Hello,\n<b>is</b> anybody there? 🙂',
      status: 'open',
      closed_by: null,
    })
  })

  test('names missing fields with the form’s messages', async () => {
    expect((await write({})).body).toEqual({
      code: 'validation_failed',
      msg: 'Name is required',
      fields: { name: 'Name is required', email: 'Email is required', message: 'Message is required' },
    })
    expect((await write({ name: 'Ana', email: 'nobody', message: ' ' })).body.fields).toEqual({
      email: 'Provide a valid email',
      message: 'Message is required',
    })
    expect(await write({ name: 'Ana', email: 'a@b.co', message: 'x'.repeat(5001) })).toMatchObject({
      status: 422,
    })
  })

  test('one address can send sixty messages an hour', async () => {
    const message = { name: 'Ana', email: 'ana@example.com', message: 'Hello' }
    const replies = await Promise.all(
      Array.from({ length: 62 }, () => call('POST', '/contact-us', { json: message, ip: '192.0.2.60' })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(60)
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})

describe('the messaging number', () => {
  test('is an empty list without a number, then a list of one', async () => {
    expect(await call('GET', '/whatsapp')).toMatchObject({ status: 200, body: [] })
    await setSetting('messagingNumber', '+41 79 123 45 67')
    expect((await call('GET', '/whatsapp')).body).toEqual([{ number: '+41 79 123 45 67' }])
  })
})
