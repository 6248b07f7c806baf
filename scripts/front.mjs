import { randomUUID } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { Transform } from 'node:stream'
import { REFUSALS } from '../src/contract/errors.ts'

/**
 * A proxy on both addresses of `localhost` in front of the runtime's port. It replaces one answer: the local runtime refuses
 * an unknown method with 501 in plain text before the Worker receives the request, but the contract requires 405 in JSON.
 * No option of the runtime changes that: its HTTP parser has a fixed list of methods.
 *
 * @param {number} port @param {number} runtimePort
 */
export async function openFront(port, runtimePort) {
  await listen(port, '127.0.0.1', runtimePort)
  // A machine without IPv6 has no such address.
  await listen(port, '::1', runtimePort).catch((error) => {
    if (error.code === 'EADDRINUSE') throw error
  })
}

/** @param {number} port @param {string} host @param {number} runtimePort */
async function listen(port, host, runtimePort) {
  await new Promise((resolve, reject) => {
    createServer({ allowHalfOpen: true, noDelay: true }, (client) => connectToRuntime(client, runtimePort))
      .once('error', reject)
      .listen({ port, host, exclusive: true }, () => resolve(undefined))
  })
}

/** @param {import('node:net').Socket} client @param {number} runtimePort */
function connectToRuntime(client, runtimePort) {
  const runtime = connect({ port: runtimePort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  client.pipe(runtime).pipe(createRefusalTransform()).pipe(client)
  client.once('error', () => runtime.destroy()).once('close', () => runtime.destroy())
  runtime.once('error', () => client.destroy())
}

const NOT_IMPLEMENTED = Buffer.from('HTTP/1.1 501 ')

function createRefusalTransform() {
  let isRefused = false
  return new Transform({
    transform(chunk, _encoding, done) {
      if (isRefused) return done()
      isRefused = NOT_IMPLEMENTED.equals(chunk.subarray(0, NOT_IMPLEMENTED.length))
      done(null, isRefused ? renderRefusal() : chunk)
    },
  })
}

// The runtime closes the connection afterwards, so no other response follows.
function renderRefusal() {
  const [status, msg] = REFUSALS.method_not_allowed
  const body = JSON.stringify({ msg, code: 'method_not_allowed' })
  return [
    `HTTP/1.1 ${status} Method Not Allowed`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'Cache-Control: no-store',
    `X-Request-Id: ${randomUUID()}`,
    '',
    body,
  ].join('\r\n')
}
