import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { $connection, markReachable, markUnreachable, retryNow, retryOnReconnect } from './connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
})

afterEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  markReachable()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a call without an answer says that the server is silent, or that the browser is offline', () => {
  markUnreachable()
  expect($connection.get()).toBe('silent')
  vi.stubGlobal('navigator', { onLine: false })
  markUnreachable()
  expect($connection.get()).toBe('offline')
  // An answer that was sent before the browser went offline.
  markReachable()
  expect($connection.get()).toBe('offline')
  vi.stubGlobal('navigator', { onLine: true })
  markReachable()
  expect($connection.get()).toBe('on')
})

test('a silent server is asked after 2, 4, 8 seconds and so on, never more rarely than every 30', async () => {
  const asked: number[] = []
  const start = Date.now()
  let isBack = false
  vi.stubGlobal('fetch', async () => {
    asked.push((Date.now() - start) / 1000)
    if (!isBack) throw new TypeError('no answer')
    return new Response()
  })
  markUnreachable()
  await vi.advanceTimersByTimeAsync(91_000)
  expect(asked).toEqual([2, 6, 14, 30, 60, 90])
  isBack = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect($connection.get()).toBe('on')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(7)
})

test('a network that comes back is tried at once, and is nothing to look for while all is well', async () => {
  const fetched = vi.fn().mockResolvedValue(new Response())
  vi.stubGlobal('fetch', fetched)
  retryNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(fetched).not.toHaveBeenCalled()
  markUnreachable()
  retryNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(fetched).toHaveBeenCalledOnce()
  expect($connection.get()).toBe('on')
})

test('further failures do not shorten the pause that has grown', async () => {
  const fetched = vi.fn().mockRejectedValue(new TypeError('no answer'))
  vi.stubGlobal('fetch', fetched)
  markUnreachable()
  await vi.advanceTimersByTimeAsync(7000)
  expect(fetched).toHaveBeenCalledTimes(2)
  for (let call = 0; call < 20; call++) markUnreachable()
  await vi.advanceTimersByTimeAsync(6900)
  expect(fetched).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(200)
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('a load that waits for the server runs once when it is back, unless it was cancelled', async () => {
  const [run, cancelled] = [vi.fn(), vi.fn()]
  markUnreachable()
  retryOnReconnect(1, run)
  retryOnReconnect(1, cancelled)?.()
  markUnreachable()
  await vi.advanceTimersByTimeAsync(0)
  expect(run).not.toHaveBeenCalled()
  markReachable()
  markUnreachable()
  markReachable()
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledOnce()
  expect(cancelled).not.toHaveBeenCalled()
})

test('a load that fails while others are answered is retried after 0, 2, 4 and 8 seconds, and then no more', async () => {
  const start = Date.now()
  const triedAt: number[] = []
  let hasStopped = false
  const load = () => {
    triedAt.push((Date.now() - start) / 1000)
    markUnreachable()
    hasStopped = retryOnReconnect(triedAt.length, load) === null
    markReachable()
  }
  load()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(triedAt).toEqual([0, 0, 2, 6, 14])
  expect(hasStopped).toBe(true)
})
