import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Reads of the clock, of chance and of the network that would escape the simulator. */
const DIRECT =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now|\bMath\.random|\bcrypto\.(?:getRandomValues|randomUUID)|\bset(?:Timeout|Interval|Immediate)\(|\bAbortSignal\.timeout|(?<![.\w])fetch\(/

test('the Worker reads time, chance and the network only through its runtime', () => {
  const files = globSync('{worker,engine,src/contract,src/pictures}/**/*.ts').filter(
    (file) => !/\.test\.ts$/.test(file) && file !== 'worker/lib/runtime.ts',
  )
  expect(files.length).toBeGreaterThan(400)
  const direct = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\*|\/\/)/.test(line) && DIRECT.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(direct).toEqual([])
})
