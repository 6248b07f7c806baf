/**
 * The runtime services that the Worker uses besides its bindings: time, randomness, waiting and the network. No other code in
 * `worker/` reads a clock or a source of randomness, so the simulator controls both (test/runtime.test.ts).
 */
export interface Runtime {
  /** Epoch milliseconds. */
  now(): number
  /** Fills the bytes with unpredictable values. */
  fill(bytes: Uint8Array<ArrayBuffer>): void
  /** Resolves after this time. */
  wait(ms: number): Promise<void>
  /** A signal that aborts after this time. */
  timeout(ms: number): AbortSignal
  /** Sends a request to another server. */
  fetch(address: string, init: RequestInit): Promise<Response>
  /** Derives a password's hash instead of Argon2id, which is slow on purpose. Null everywhere but in tests and the simulator. */
  readonly derivePassword: DerivePassword | null
}

/** The hash of a password under a salt, 32 bytes. */
export type DerivePassword = (
  password: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
) => Promise<Uint8Array>

const platform: Runtime = {
  now: () => Date.now(),
  fill: (bytes) => {
    crypto.getRandomValues(bytes)
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timeout: (ms) => AbortSignal.timeout(ms),
  fetch: (address, init) => fetch(address, init),
  derivePassword: null,
}

let current = platform

/** The runtime in use: the platform's, unless a test or the simulator replaced it. */
export const runtime: Runtime = {
  now: () => current.now(),
  fill: (bytes) => current.fill(bytes),
  wait: (ms) => current.wait(ms),
  timeout: (ms) => current.timeout(ms),
  fetch: (address, init) => current.fetch(address, init),
  get derivePassword() {
    return current.derivePassword
  },
}

/** Replaces services of the whole process. Returns a function that restores the former ones. Only tests and the simulator call this. */
export function setRuntime(replaced: Partial<Runtime>): () => void {
  const former = current
  current = { ...former, ...replaced }
  return () => {
    current = former
  }
}

/** This many unpredictable bytes. */
export function generateRandomBytes(count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count)
  runtime.fill(bytes)
  return bytes
}

/** A random time from `leastMs` to `mostMs`, in milliseconds. */
export function pickRandomMs(leastMs: number, mostMs: number): number {
  const [draw = 0] = new Uint32Array(generateRandomBytes(4).buffer)
  return leastMs + (draw / 2 ** 32) * (mostMs - leastMs)
}
