import type { Lie } from './lie.ts'

/** Failures of a server of either kind. No answer comes from the node. */
export const transportLies = {
  /** Accepts the connection and never answers. */
  stalled: (): Lie => ({ instead: () => undefined }),

  /** Sends a byte every 50 ms, without end. */
  trickling: (): Lie => ({
    instead: (response) => {
      response.writeHead(200, JSON_TYPE).write('[')
      const timer = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(timer))
    },
  }),

  serverError: (): Lie => ({
    instead: (response) =>
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end('Internal server error'),
  }),

  /** Asks to wait half a minute. */
  tooManyRequests: (): Lie => ({
    instead: (response) =>
      response.writeHead(429, { 'Content-Type': 'text/plain', 'Retry-After': '30' }).end('Too Many Requests'),
  }),

  /** JSON that ends in the middle. */
  garbage: (): Lie => ({
    instead: (response) =>
      response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":1,"result":[{"value":1'),
  }),

  /** A page of a proxy in between. */
  webPage: (): Lie => ({
    instead: (response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>Just a moment…</title>'),
  }),

  /** 32 MB of valid JSON. */
  huge: (): Lie => ({
    instead: (response) => response.writeHead(200, JSON_TYPE).end(`["${'0'.repeat(32 * 2 ** 20)}"]`),
  }),

  /** Closes the connection in the middle of the answer. */
  disconnecting: (): Lie => ({
    instead: (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'Content-Length': '1000' }).write('[')
      setTimeout(() => response.destroy(), 20)
    },
  }),
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
