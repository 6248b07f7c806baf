import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { faultsOf } from './faults.ts'
import { ConnectionCut, type KeyOptions, type Venue } from './venue.ts'

export interface ServedVenue {
  readonly url: string
  close(): Promise<void>
}

const MODES = ['online', 'maintenance', 'cancel_only', 'post_only', 'limit_only'] as const

/** Puts an exchange behind a port of 127.0.0.1. @param port 0 takes a free one */
export async function serveVenue(venue: Venue, port = 0): Promise<ServedVenue> {
  const server = createServer((request, response) => {
    answer(venue, request, response).catch((error) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', ready)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function answer(venue: Venue, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`)
  if (url.pathname.startsWith('/_control/')) {
    const { status, text } = control(venue, url.pathname.slice('/_control/'.length), body.toString('utf8'))
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text)
    return
  }
  const method = request.method ?? 'GET'
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value))
  const hasBody = method !== 'GET' && method !== 'HEAD'
  try {
    const answered = await venue.fetch(new Request(url, { method, headers, ...(hasBody ? { body } : {}) }))
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text())
  } catch (error) {
    if (!(error instanceof ConnectionCut)) throw error
    request.socket.destroy()
  }
}

/** What an exchange does not have: calls that change how this one behaves. */
function control(venue: Venue, name: string, body: string): { status: number; text: string } {
  try {
    const asked = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>
    switch (name) {
      case 'counts':
        break
      case 'keys':
        return { status: 201, text: JSON.stringify(venue.newKey(asked as KeyOptions)) }
      case 'mode':
        venue.setMode(MODES.find((mode) => mode === asked.mode) ?? null)
        break
      case 'faults':
        venue.setFaults(faultsOf(String(asked.faults ?? '')), Number(asked.likelihood ?? 0.1))
        break
      default:
        return { status: 404, text: JSON.stringify({ msg: 'There are counts, keys, mode and faults.' }) }
    }
    const { faults } = venue.exchange
    return {
      status: 200,
      text: JSON.stringify({ mode: venue.exchange.mode(), on: [...faults.on], counts: faults.counts }),
    }
  } catch (error) {
    return {
      status: 400,
      text: JSON.stringify({ msg: error instanceof Error ? error.message : String(error) }),
    }
  }
}
