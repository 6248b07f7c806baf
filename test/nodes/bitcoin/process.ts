// The process of a bitcoin node: `node process.ts PORT`. It sends its port when it is ready and ends with its parent.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyOf } from '../http.ts'
import { answerRemote } from '../remote.ts'
import type { BitcoinControl } from './control.ts'
import { type Answer, answerEsplora } from './esplora.ts'
import { openNode, Refused } from './node.ts'
import { createWallet } from './wallet.ts'

process.once('disconnect', () => process.exit())

/** Blocks at the start. Ten rewards can be spent then; one of them is split for many payments. */
const FIRST_BLOCKS = 110
const SPLIT = { coins: 100, satoshi: 40_000_000 }

const node = await openNode()
const wallet = createWallet(node)
await wallet.mine(FIRST_BLOCKS - 1)
await wallet.split(SPLIT.coins, SPLIT.satoshi)
await wallet.mine(1)

let feeEstimates: Readonly<Record<string, number>> = Object.fromEntries(
  [...Array.from({ length: 25 }, (_, index) => index + 1), 144, 504, 1008].map((blocks) => [blocks, 1]),
)
const control: BitcoinControl = {
  ...wallet,
  broadcast: node.broadcast,
  estimateFees: async (rates) => {
    feeEstimates = rates
  },
}

/** Calls come one after another, so that nobody sees the middle of a reorganisation. */
let last: Promise<unknown> = Promise.resolve()
function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
  const done = last.then(work)
  last = done.catch(() => undefined)
  return done
}

const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  try {
    const body = request.method === 'POST' ? await bodyOf(request) : undefined
    send(response, await inTurn(() => (body === undefined ? answerGet(path) : answerPost(path, body))))
  } catch (error) {
    send(response, { status: 500, body: String(error) })
  }
})
server.listen(Number(process.argv[2]), '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
)

const answerGet = (path: string): Answer =>
  path === '/fee-estimates' ? { status: 200, body: feeEstimates } : answerEsplora(node.ledger, path)

async function answerPost(path: string, body: string): Promise<Answer> {
  if (path === '/tx') return broadcast(body)
  const answer = await answerRemote(control, path, body)
  return answer === undefined
    ? { status: 404, body: 'endpoint does not exist' }
    : { status: 200, body: answer }
}

async function broadcast(hex: string): Promise<Answer> {
  try {
    return { status: 200, body: await node.broadcast(hex.trim()) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code, message } = error
    return { status: 400, body: `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}` }
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (typeof body === 'string') response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body)
  else if (body instanceof Uint8Array)
    response.writeHead(status, { 'Content-Type': 'application/octet-stream' }).end(body)
  else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
