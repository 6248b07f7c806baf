import { runtime } from '../../lib/runtime.ts'

/** What is wrong with a server, as words that follow its name: "does not answer". Never contains the server's own text. */
export class ServerFault extends Error {}

/** Counts calls to other servers. A tick makes no more than its budget, and what is left over waits for the next one. */
export class CallBudget {
  left: number

  constructor(calls: number) {
    this.left = calls
  }

  has(calls: number): boolean {
    return this.left >= calls
  }

  /** Throws if nothing is left: whoever calls has asked `has` before. */
  take(): void {
    if (this.left <= 0) throw new Error('The budget of outside calls is used up.')
    this.left -= 1
  }
}

interface Asked {
  readonly budget: CallBudget
  readonly maxBytes: number
  readonly method?: 'GET' | 'POST'
  readonly body?: string
}

const TIMEOUT_MS = 8_000

/** Requests a whole answer, with limits for time and size. Null for 404. Throws a `ServerFault` for every other failure. */
export async function askServer(
  url: string,
  { budget, maxBytes, method = 'GET', body }: Asked,
): Promise<Uint8Array<ArrayBuffer> | null> {
  budget.take()
  const signal = runtime.timeout(TIMEOUT_MS)
  const headers: Record<string, string> = { Accept: '*/*', 'User-Agent': 'Evenkeel' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const response = await runtime
    .fetch(url, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) })
    .catch(() => {
      throw new ServerFault(signal.aborted ? 'does not answer in time' : 'cannot be reached')
    })
  if (response.status === 404) {
    await response.body?.cancel().catch(() => {})
    return null
  }
  if (response.status !== 200) {
    await response.body?.cancel().catch(() => {})
    throw new ServerFault(`answers with the status ${response.status}`)
  }
  return readWhole(response, maxBytes)
}

async function readWhole(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new ServerFault('breaks off its answers')
  }
  if (size > maxBytes) throw new ServerFault('answers with more than it was asked for')
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Parses JSON of a server. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ServerFault('answers with something other than JSON')
  }
}

/** The name of a server in tables and messages: its host. The rest of its address may contain a key. */
export function hostOf(server: string): string {
  return new URL(server).host
}
