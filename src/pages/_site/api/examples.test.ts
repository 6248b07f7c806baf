import { expect, test } from 'vitest'
import { formatCurl, formatTypeScript } from './examples.ts'
import type { Call } from './reference.ts'

const call: Call = {
  operationId: 'postDeposits',
  tags: ['deposits'],
  summary: 'Announces a deposit',
  'x-scope': 'signed-in',
  security: [],
  method: 'POST',
  path: '/deposits/{id}',
  parameters: [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }],
  responses: {},
}
const schema = {
  type: 'object',
  properties: {
    type: { enum: ['bitcoin', 'usdt'] },
    amount: { type: 'number', minimum: 20 },
    note: { type: 'string' },
    email: { type: 'string' },
  },
  required: ['type', 'amount', 'email'],
}

test('a command has the address, the token, the key and the required fields', () => {
  const json = { ...call, requestBody: { required: true, content: { 'application/json': { schema } } } }
  expect(formatCurl(json, 'https://a.example')).toBe(
    [
      "curl -X POST 'https://a.example/api/v1/deposits/ID'",
      "-H 'Authorization: Bearer TOKEN'",
      "-H 'Idempotency-Key: UNIQUE'",
      "-H 'Content-Type: application/json'",
      `-d '{"type":"bitcoin","amount":20,"email":"you@example.com"}'`,
    ].join(' \\\n  '),
  )
})

test('a form sends its files', () => {
  const form = {
    ...schema,
    properties: { ...schema.properties, image: { type: 'string', contentMediaType: 'image/png' } },
    required: ['type', 'image'],
  }
  const multipart = {
    ...call,
    requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
  }
  expect(formatCurl(multipart, '')).toContain("-F 'type=bitcoin' \\\n  -F 'image=@FILE'")
  expect(formatTypeScript(multipart, '')).toBe(
    [
      'const form = new FormData()',
      "form.set('type', 'bitcoin')",
      "form.set('image', file)",
      "const answer = await fetch('/api/v1/deposits/ID', {",
      "  method: 'POST',",
      "  headers: { Authorization: 'Bearer ' + token, 'Idempotency-Key': crypto.randomUUID() },",
      '  body: form,',
      '})',
    ].join('\n'),
  )
})

test('a public call that only reads needs nothing', () => {
  const { 'x-scope': _, ...open } = { ...call, method: 'GET', path: '/strategies', parameters: [] }
  expect(formatCurl(open, '')).toBe("curl '/api/v1/strategies'")
  expect(formatTypeScript(open, '')).toBe("const answer = await fetch('/api/v1/strategies')")
})
