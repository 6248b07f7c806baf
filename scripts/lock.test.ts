import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withLock } from './lock.mjs'

it('work under one name never overlaps', async () => {
  const name = `test-${process.pid}`
  let atWork = 0
  let most = 0
  const work = () =>
    withLock(name, async () => {
      most = Math.max(most, ++atWork)
      await wait(20)
      atWork--
    })
  await Promise.all([work(), work(), work()])
  expect(most).toBe(1)
})

it('work that fails frees its name', async () => {
  const name = `test-failing-${process.pid}`
  await expect(withLock(name, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withLock(name, () => 'done')).toBe('done')
})
