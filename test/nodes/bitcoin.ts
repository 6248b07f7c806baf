import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { BitcoinChain } from '../simulator/chains/bitcoin.ts'
import { answerEsplora } from '../simulator/chains/esplora.ts'
import { chanceOf } from '../simulator/lane/chance.ts'
import { allowsScripts } from './consensus.ts'

/** A simulated chain behind an Esplora server. */
export interface ServedBitcoin {
  readonly chain: BitcoinChain
  /** The base URL of its Esplora interface. */
  readonly url: string
  close(): Promise<void>
}

/** Serves a new chain on regtest. Nothing is kept when it closes. */
export async function serveBitcoin(port: number): Promise<ServedBitcoin> {
  const chain = new BitcoinChain(chanceOf(crypto.randomUUID()), Date.now(), allowsScripts)
  const server = createServer(async (request, response) => {
    const refused = request.method === 'POST' ? chain.broadcast(await text(request)) : null
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const { status, body } =
      request.method === 'GET'
        ? answerEsplora(chain.view, path)
        : { status: refused === null ? 200 : 400, body: refused ?? '' }
    const isPlain = typeof body === 'string' || body instanceof Uint8Array
    response.writeHead(status).end(isPlain ? body : JSON.stringify(body))
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', ready)
  })
  return {
    chain,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
