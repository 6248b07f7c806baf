// Memory of the Worker while four pictures of almost 8 MB are uploaded beside two sign-ins, in MB: the JavaScript heap and the buffers
// beside it, as workerd's inspector reports them, and the password hash's WebAssembly. An isolate may use 128 MB. The heap of
// the last row is the least that was read, after V8 collected it: before memory runs out, it collects. `node test/bench/memory.mjs`
import { setTimeout as wait } from 'node:timers/promises'
import { copyJpeg } from '../../src/pictures/samples.ts'
import { print, signIn, startPlatform } from './platform.mjs'

const LIMIT_MB = 100
/** The memory of the password hash (`MEMORY_PAGES` in worker/lib/crypto/password.ts), which the inspector does not count. */
const HASH_MB = 305 / 16
const MB = 1024 * 1024
const PICTURE_BYTES = 7.8 * MB

const platform = await startPlatform('worker/dev/index.ts', { isInspected: true })
const { address, database, inspector } = platform
const { results: wallets } = await database
  .prepare("SELECT network, address FROM wallets WHERE network = 'usdt-trc20'")
  .all()
const [wallet] = wallets
const heap = await connect(inspector)
const atStart = await heap.read()
const tokens = {
  investor: await signIn(address, 'investor@example.com'),
  newcomer: await signIn(address, 'newcomer@example.com'),
}
const picture = new Blob([largePicture()], { type: 'image/jpeg' })
/** @type {Record<string, { heap: number, beside: number, sum: number }>} */
const figures = { 'before a sign-in': atStart, 'after two sign-ins': await heap.read() }

const isOver = heap.watch()
await Promise.all([
  ...Array.from({ length: 3 }, uploadReceipt),
  // It is encrypted, so it needs a second buffer.
  uploadDocument(),
  signIn(address, 'investor@example.com'),
  signIn(address, 'newcomer@example.com'),
])
const during = await isOver()
figures['during 4 uploads and 2 sign-ins'] = during
heap.close()
await platform.stop()

print(figures)
console.log(
  `${during.sum.toFixed(1)} MB at most; allowed ${LIMIT_MB}: ${during.sum < LIMIT_MB ? 'met' : 'MISSED'}.`,
)
process.exitCode = during.sum < LIMIT_MB ? 0 : 1

function uploadReceipt() {
  return upload('/deposits', tokens.investor, {
    type: 'usdt',
    amount: '250.00',
    paymentTo: String(wallet?.address),
    network: String(wallet?.network),
  })
}

function uploadDocument() {
  return upload('/kyc', tokens.newcomer, { document: 'Passport' })
}

/** @param {string} path @param {string} token @param {Record<string, string>} fields */
async function upload(path, token, fields) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', picture, 'picture.jpg')
  const response = await fetch(`${address}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': crypto.randomUUID() },
    body: form,
  })
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** A JPEG with a comment, which is taken out, and very many coded pixels. */
function largePicture() {
  const comment = Buffer.alloc(60_000, 'x')
  const pixels = Buffer.alloc(PICTURE_BYTES - comment.length, 0x11)
  const head = Uint8Array.of(0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff)
  return Buffer.concat([
    copyJpeg().subarray(0, 2),
    head,
    comment,
    copyJpeg().subarray(2, -2),
    pixels,
    copyJpeg().subarray(-2),
  ])
}

/** Reads the isolate's memory in MB. @param {URL | null} inspector */
async function connect(inspector) {
  /** @type {{ id: string, webSocketDebuggerUrl: string }[]} */
  const targets = await (await fetch(`http://${inspector?.host}/json`)).json()
  const target = targets.find(({ id }) => id.endsWith('platform'))
  const socket = new WebSocket(String(target?.webSocketDebuggerUrl))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  /** @type {Map<number, (result: any) => void>} */
  const waiting = new Map()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data)
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let last = 0
  /** @param {string} method @returns {Promise<any>} */
  const send = (method) => {
    const id = ++last
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method }))
    return answer
  }
  const read = async () => {
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await send('Runtime.getHeapUsage')
    const [heap, beside] = [usedSize / MB, (embedderHeapUsedSize + backingStorageSize) / MB]
    return { heap, beside, sum: heap + beside + HASH_MB }
  }
  return {
    read,
    /** Reads again and again. Returns a function that ends it and gives the least heap and the most beside it. */
    watch() {
      let isRunning = true
      const largest = (async () => {
        let { heap, beside } = await read()
        while (isRunning) {
          await wait(2)
          const now = await read()
          heap = Math.min(heap, now.heap)
          beside = Math.max(beside, now.beside)
        }
        return { heap, beside, sum: heap + beside + HASH_MB }
      })()
      return () => {
        isRunning = false
        return largest
      }
    },
    close: () => socket.close(),
  }
}
