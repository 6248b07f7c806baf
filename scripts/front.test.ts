import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFront } from './front.mjs'
import { findFreePort } from './ports.mjs'

const REFUSED = 'HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\nERROR: Unrecognized request method.'
const FOUND = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n501 in text\n'

let runtime: Server
let port = 0
let received = 0

// Like the runtime, it refuses an unknown method in two chunks and closes, and answers everything else.
beforeAll(async () => {
  runtime = createServer((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.length
      if (!chunk.toString('latin1').startsWith('BREW ')) return
      const half = REFUSED.indexOf('ERROR')
      socket.write(REFUSED.slice(0, half), () => setTimeout(() => socket.end(REFUSED.slice(half)), 20))
    })
    socket.on('end', () => socket.end(FOUND))
    socket.on('error', () => {})
  })
  const runtimePort = await findFreePort()
  port = await findFreePort()
  await once(runtime.listen(runtimePort, '127.0.0.1'), 'listening')
  await openFront(port, runtimePort)
})
afterAll(() => {
  runtime.close()
})

async function answerTo(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  for (const part of parts) socket.write(part)
  if (!String(parts[0]).startsWith('BREW')) socket.end()
  return text(socket)
}

test('a method that the runtime has never heard of is refused in the contract’s shape', async () => {
  const [head = '', body = ''] = (await answerTo('BREW /api/v1/health HTTP/1.1\r\n\r\n')).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 405 /)
  expect(head).toMatch(/^Allow: .*POST/m)
  expect(head).toMatch(/^X-Request-Id: \S+$/m)
  expect(head).toContain(`Content-Length: ${body.length}`)
  expect(JSON.parse(body)).toEqual({
    msg: 'This address does not support that method.',
    code: 'method_not_allowed',
  })
})

test('everything else passes both ways as it is', async () => {
  received = 0
  const upload = Buffer.alloc(9 * 1024 * 1024, 7)
  expect(await answerTo('POST /api/v1/deposits HTTP/1.1\r\n\r\n', upload)).toBe(FOUND)
  expect(received).toBe('POST /api/v1/deposits HTTP/1.1\r\n\r\n'.length + upload.length)
})
