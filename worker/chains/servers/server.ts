import { ChainError } from '../../../src/chain/chainError.ts'
import { site } from '../../../src/site.ts'
import { runtime } from '../../lib/runtime.ts'

/** A server's fault, in words that follow its name: "does not answer". Never contains the server's own text. */
export class ServerFault extends Error {}

/**
 * A question that a server left without an answer. Strangers make the blocks, so an answer may be too large, or take too long, without
 * any fault of the server. So `fetchInParts` asks about fewer blocks before it calls this the server's fault.
 */
export class Unanswered extends ServerFault {}

/**
 * Counts calls to other servers, and the bytes of their answers. A tick uses no more than its budget, and the remaining work waits for
 * the next tick. The byte limit bounds CPU time too, because all work on the bytes is linear. The clock cannot measure CPU time: it
 * stands still while a Worker computes.
 */
export class CallBudget {
  left: number
  bytesLeft: number

  constructor(calls: number, bytes = 64 * 1024 * 1024) {
    this.left = calls
    this.bytesLeft = bytes
  }

  has(calls: number): boolean {
    return this.left >= calls && this.bytesLeft > 0
  }

  /** Throws if no call is left: callers ask `has` first. */
  take(): void {
    if (this.left <= 0) throw new Error('The budget of outside calls is used up.')
    this.left -= 1
  }
}

/** The number of items in the next question. It doubles after a small answer, and is halved after an unanswered question. */
export interface Pace {
  items: number
}

/** Larger answers come near the limit of one. */
const LARGE_BYTES = 12 * 1024 * 1024
const MOST_ITEMS = 16
/** Items that a server may leave unanswered, before it answers any, until it is asked no more. */
const TRIES = 3

/**
 * Asks a server about items in as few questions as possible. One that is left unanswered is halved, so that an item which is too large for
 * any answer stands in no other's way. `take` gets each answer as it arrives, so that no two answers are kept. Returns the items that were
 * left unanswered, with the reason. A server that answers none of a few is asked no more.
 */
export async function fetchInParts<Item, Answer>(
  items: readonly Item[],
  { budget, pace }: { readonly budget: CallBudget; readonly pace: Pace },
  ask: (part: readonly Item[]) => Promise<readonly Answer[]>,
  take: (item: Item, answer: Answer) => void,
): Promise<ReadonlyMap<Item, string>> {
  const unanswered = new Map<Item, string>()
  let waiting = [...items]
  let isAnswering = false
  while (waiting.length > 0 && budget.has(1) && (isAnswering || unanswered.size < TRIES)) {
    const part = waiting.slice(0, pace.items)
    const bytesBefore = budget.bytesLeft
    try {
      const answers = await ask(part)
      isAnswering = true
      if (bytesBefore - budget.bytesLeft < LARGE_BYTES)
        pace.items = Math.max(pace.items, Math.min(2 * pace.items, MOST_ITEMS))
      for (const [at, item] of part.entries()) take(item, answers[at] as Answer)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      if (part.length > 1) {
        pace.items = Math.ceil(part.length / 2)
        continue
      }
      for (const item of part) unanswered.set(item, error.message)
    }
    waiting = waiting.slice(part.length)
  }
  return unanswered
}

/** An answer above the limit of its size. */
export class TooLarge extends Unanswered {}

interface ServerRequest {
  readonly budget: CallBudget
  readonly maxBytes: number
  readonly method?: 'GET' | 'POST'
  readonly body?: string
}

const TIMEOUT_MS = 8_000

/** Requests a whole answer, with limits for time and size. Null for 404. Throws a `ServerFault` for every other failure. */
export async function fetchFromServer(
  url: string,
  { budget, maxBytes, method = 'GET', body }: ServerRequest,
): Promise<Uint8Array<ArrayBuffer> | null> {
  budget.take()
  const signal = runtime.timeout(TIMEOUT_MS)
  const headers: Record<string, string> = { Accept: '*/*', 'User-Agent': site.slug }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const response = await runtime
    .fetch(url, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) })
    .catch(() => {
      throw new Unanswered(signal.aborted ? 'does not answer in time' : 'cannot be reached')
    })
  if (response.status === 404) {
    await response.body?.cancel().catch(() => {})
    return null
  }
  if (response.status !== 200) {
    await response.body?.cancel().catch(() => {})
    throw new Unanswered(`answers with the status ${response.status}`)
  }
  return readWhole(response, maxBytes, budget)
}

async function readWhole(
  response: Response,
  maxBytes: number,
  budget: CallBudget,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new Unanswered('breaks off its answers')
  }
  budget.bytesLeft -= size
  if (size > maxBytes) throw new TooLarge('answers with more than it was asked for')
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Parses JSON of a server. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ServerFault('answers with something other than JSON')
  }
}

/** Runs a check of a server's answer. A violated rule of the chain is that server's fault. */
export function checkAnswer<T>(what: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof ChainError) throw new ServerFault(`${what} (${error.code})`)
    throw error
  }
}

/** The name of a server in tables and messages: its host. The rest of its address may contain a key. */
export function getHost(server: string): string {
  return new URL(server).host
}
